/**
 * The reviewed table: what a dialect cannot express, or what two packages count in different ways. A difference that is
 * not in it is a fault of the gateway.
 * @type {{fields: string[], vendor?: RegExp, dialect?: RegExp, recording?: RegExp, when?: Function, reason: string}[]}
 */
export const KNOWN_DIFFERENCES = [];
