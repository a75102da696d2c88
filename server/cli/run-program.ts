/**
 * Runs a program of an operator. It ends with the code `main` gives, or with `failureCode` after a line on stderr: what failed, and why.
 */
export async function runProgram(
  failure: string,
  main: () => Promise<number | undefined>,
  failureCode = 1,
): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`${failure}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failureCode;
  }
}
