/**
 * Name of the tool that stands in for an answer's schema at models that have no structured output: its arguments are
 * the answer. No caller's tool has this name, so replies are recognised by it.
 */
export const ANSWER_TOOL = 'tollgate_structured_answer';
