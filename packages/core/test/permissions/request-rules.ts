/** `user: deny Read(x); allow Edit` */
export function requestRules(text: string) {
  const [, source, list] = /^(?:(user|project|local|flag): )?(.*)$/s.exec(text) ?? [];
  const rules: Record<string, string[]> = { allow: [], ask: [], deny: [] };
  for (const entry of (list ?? "").split("; ").filter((each) => each !== "")) {
    const [, name = "", rule = ""] = /^(allow|ask|deny) (.*)$/s.exec(entry) ?? [];
    const into = rules[name];
    if (into === undefined) throw new Error(`no such list: ${entry}`);
    into.push(rule);
  }
  return { rules, ...(source === undefined ? {} : { rules_source: source }) };
}
