/** The environment is not one to start in; the message is all the operator needs. */
export class EnvironmentError extends Error {
  /** @param faults  a line each, beginning with the name of the variable */
  static of(faults: readonly string[], cause?: unknown): EnvironmentError {
    const heading =
      faults.length === 1 ? 'The environment has a fault' : `The environment has ${faults.length} faults`;
    const lines = faults.map((fault) => `  ${fault}`).join('\n');
    return new EnvironmentError(`${heading}:\n${lines}`, { cause });
  }
}
