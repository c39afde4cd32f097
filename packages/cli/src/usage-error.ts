/** What was asked for cannot be done as it was written: told to the person before anything is sent, exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
