/**
 * Runs one step of the handling of a connection. A fault ends that connection and is reported as a bug; the process and all other
 * calls go on.
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
 * Wraps a listener so that a fault in it is contained. Every listener of a connection, a server and a store's client is wrapped
 * (test/drift): an exception would otherwise end the process and all calls in it.
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

/** Reports a fault without a call to fail, as an unhandled rejection; worker.ts logs it. */
export function reportBug(fault: unknown): void {
  void Promise.reject(fault instanceof Error ? fault : new Error(String(fault)));
}
