/** A port that no other process of a test run is given while this one lives. */
export function freePort(): Promise<number>;
