/** What stands in front of the first user message. */
type UserContext = {
  /** Absolute. */
  cwd: string;
  /** Absolute; working directories beside `cwd`. */
  additionalDirectories?: readonly string[];
  /** Such as `linux`. */
  platform: string;
  /** Today as `YYYY-MM-DD`. */
  date: string;
  /** The more specific the later. */
  instructionFiles: readonly { path: string; text: string }[];
};

const TAG = "session-context";

/** The block of text that tells the model where it is and what the project asks of it. */
export function userContextText({
  cwd,
  additionalDirectories = [],
  platform,
  date,
  instructionFiles,
}: UserContext): string {
  const facts = [
    `Working directory: ${cwd}`,
    ...additionalDirectories.map((directory) => `Additional working directory: ${directory}`),
    `Platform: ${platform}`,
    `Date: ${date}`,
  ];
  return [
    `<${TAG}>`,
    "Added by Pawl, not typed by the user.",
    facts.join("\n"),
    ...(instructionFiles.length === 0 ? [] : [instructions(instructionFiles)]),
    `</${TAG}>`,
  ].join("\n\n");
}

function instructions(files: UserContext["instructionFiles"]): string {
  const intro =
    "# Instruction files\nFollow them as far as they bear on the task. A later file goes before an earlier one, what the user says in the conversation before all of them.";
  return [intro, ...files.map(({ path, text }) => `## ${path}\n${withoutClosingTag(text)}`)].join("\n\n");
}

/** A file must not end the block that it stands in. */
const withoutClosingTag = (text: string) => text.replaceAll(`</${TAG}>`, `<\\/${TAG}>`);
