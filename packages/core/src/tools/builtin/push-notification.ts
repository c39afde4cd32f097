import { defineTool } from "../define-tool.ts";
import { refusal } from "./error-result.ts";

/** What a notification of a desktop shows at most. Characters. */
const MAX_MESSAGE_CHARS = 500;

export const pushNotificationTool = defineTool({
  name: "PushNotification",
  description: `Calls the user back to this session: the terminal rings and shows the message, other hosts show it in their way.

- For what the user would want to be called for: long work is done, or cannot go on without them. Not for progress.
- One line, what has happened first. It does not wait, and no answer comes back.`,
  inputSchema: {
    type: "object",
    properties: { message: { type: "string", description: `At most ${MAX_MESSAGE_CHARS} characters.` } },
    required: ["message"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing; it goes to whoever looks at this session and nowhere else.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ message }, { notifyUser }) {
    const text = message.replaceAll(/\s+/g, " ").trim();
    const length = [...text].length;
    if (length === 0 || length > MAX_MESSAGE_CHARS) {
      return refusal(`The message has ${length} characters; give 1 to ${MAX_MESSAGE_CHARS}.`);
    }
    notifyUser(text);
    return {
      content: "The message was given to whoever shows this session to the user.",
      structured: { message: text },
    };
  },
});
