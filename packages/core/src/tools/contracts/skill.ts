import type { InputOf } from "../define-tool.ts";

/** The public input of `Skill`: a name, or `plugin:name`. */
export const skillInput = {
  type: "object",
  properties: { skill: { type: "string" }, args: { type: "string" } },
  required: ["skill"],
  additionalProperties: false,
} as const;
export type SkillInput = InputOf<typeof skillInput>;

/** The text result. Consumers match it. */
export const launchingText = (skill: string): string => `Launching skill: ${skill}`;

/** The meta message that follows the result: the folder, then the skill's text. Consumers match its beginning. */
export const skillMessage = (folder: string, body: string): string =>
  `Base directory for this skill: ${folder}\n\n${body}`;
