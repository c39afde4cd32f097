/** `{{name}}` in the texts and inputs of a scenario. Only the names that the scenario captures count; others are plain text. */

export type Values = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "");
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(placeholdersIn);
}

/** A copy with the values put in, at any depth; a name without a value stays as it is. */
export function fillPlaceholders(template: unknown, values: Values): unknown {
  if (typeof template === "string") {
    return template.replace(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );
  }
  if (Array.isArray(template)) return template.map((each) => fillPlaceholders(each, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, fillPlaceholders(each, values)]));
}

/** Whether `actual` may be `template` with some values put in. */
export function resembles(template: unknown, actual: unknown, names: ReadonlySet<string>): boolean {
  if (typeof template === "string") return typeof actual === "string" && resemblesText(template, actual, names);
  if (typeof template !== "object" || template === null) return Object.is(template, actual);
  if (typeof actual !== "object" || actual === null || Array.isArray(template) !== Array.isArray(actual)) return false;
  const wanted = Object.entries(template);
  const found = new Map(Object.entries(actual));
  return (
    wanted.length === found.size &&
    wanted.every(([key, each]) => found.has(key) && resembles(each, found.get(key), names))
  );
}

function resemblesText(template: string, actual: string, names: ReadonlySet<string>): boolean {
  if (template === actual) return true;
  if (!placeholdersIn(template).some((name) => names.has(name))) return false;
  const pattern = template.split(PLACEHOLDER).map((part, index) => {
    const isName = index % 2 === 1; // split gives text and captured name in turn
    if (isName) return names.has(part) ? "[\\s\\S]*?" : escapeRegExp(`{{${part}}}`);
    return escapeRegExp(part);
  });
  return new RegExp(`^${pattern.join("")}$`).test(actual);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
