/**
 * Runs one step of the handling of a connection. What goes wrong in it ends that connection and is reported as a bug: the process,
 * and everybody else's calls, go on.
 * @param onFault  ends what the step belongs to
 */
export function containFaults(step: () => void, onFault: () => void): void {
  try {
    step();
  } catch (fault) {
    end(fault, onFault);
  }
}

function end(fault: unknown, onFault: () => void): void {
  reportBug(fault);
  try {
    onFault();
  } catch (again) {
    reportBug(again);
  }
}

/**
 * A listener, contained. Every listener of a connection, of a server and of a store's client is one (test/drift): what one of them
 * throws would otherwise end the process, and everybody else's calls with it.
 * @param onFault  ends what the listener belongs to; absent = there is nothing to end
 */
export function contained<Args extends readonly unknown[]>(
  listener: (...args: Args) => void,
  onFault: (...args: Args) => void = NOTHING_TO_END,
): (...args: Args) => void {
  // Called for every event: only a fault costs a closure.
  return (...args) => {
    try {
      listener(...args);
    } catch (fault) {
      end(fault, () => onFault(...args));
    }
  };
}

const NOTHING_TO_END = (): void => undefined;

/** Tells whoever watches for bugs (worker.ts) of a fault that no call is left to answer for. */
export function reportBug(fault: unknown): void {
  void Promise.reject(fault instanceof Error ? fault : new Error(String(fault)));
}
