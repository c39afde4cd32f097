/**
 * Answers many requests with one piece of work: those made in the same turn of the event loop are answered together, by work
 * that begins after all of them.
 *
 * @param answerAll gives the answers in the order of the requests.
 */
export function batched<Request, Answer>(
  answerAll: (requests: readonly Request[]) => Promise<readonly Answer[]>,
): (request: Request) => Promise<Answer> {
  let next: { requests: Request[]; answers: Promise<readonly Answer[]> } | undefined;

  function begin(): { requests: Request[]; answers: Promise<readonly Answer[]> } {
    const requests: Request[] = [];
    const begun = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return answerAll(requests);
    });
    return { requests, answers: begun };
  }

  return async (request) => {
    next ??= begin();
    const { requests, answers } = next;
    const place = requests.push(request) - 1;
    const answer = (await answers)[place];
    if (answer === undefined) throw new Error("A batch has fewer answers than requests.");
    return answer;
  };
}
