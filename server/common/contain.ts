/**
 * Runs one step of the handling of a connection. What goes wrong in it ends that connection and is reported as a bug: the process,
 * and everybody else's calls, go on.
 * @param onFault  ends what the step belongs to
 */
export function contain(step: () => void, onFault: () => void): void {
  try {
    step();
  } catch (fault) {
    reportBug(fault);
    try {
      onFault();
    } catch (again) {
      reportBug(again);
    }
  }
}

/** Tells whoever watches for bugs (worker.ts) of a fault that no call is left to answer for. */
export function reportBug(fault: unknown): void {
  void Promise.reject(fault instanceof Error ? fault : new Error(String(fault)));
}
