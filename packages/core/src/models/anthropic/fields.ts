/** An object of the provider before its fields are known. */
export type Fields = Record<string, unknown>;

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}
