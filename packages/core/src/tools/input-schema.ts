export function checkInput(_schema: object, _value: unknown): string[] {
  return [];
}
