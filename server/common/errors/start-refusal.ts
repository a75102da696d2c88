/** The surroundings are not fit for a start: one sentence that names the cause and the remedy. */
export class StartRefusal extends Error {}
