/** The first fault of a commit message's subject; undefined = none. */
export function subjectFault(message: string): string | undefined;
