import schema from "./settings.schema.json" with { type: "json" };

/** The part of JSON Schema that settings are described with; a test refuses any other keyword. */
export type Schema = {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  /** false: no other keys; a schema: what all others hold. */
  additionalProperties?: boolean | Schema;
  required?: string[];
  /** The first one is shown when a value is wrong. */
  examples?: unknown[];
};

/** Every setting there is: what checks, `pawl config`, the docs and editors go by. */
export const settingsSchema: Schema = schema;

const { properties = {} } = settingsSchema;

/** Names of the keys, those inside `permissions` too. */
export const knownKeys: readonly string[] = [
  ...Object.keys(properties),
  ...Object.keys(properties["permissions"]?.properties ?? {}),
];

/** The schema at a path of keys such as `["sandbox", "network"]`; undefined where nothing is known. */
export function schemaAt(path: readonly (string | number)[]): Schema | undefined {
  let found: Schema | undefined = settingsSchema;
  for (const key of path) {
    if (found === undefined) return undefined;
    found = typeof key === "number" ? found.items : schemaOfKey(found, key);
  }
  return found;
}

/** What a key of an object holds; undefined where nothing is known. */
export function schemaOfKey({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
