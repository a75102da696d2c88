const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Recognises the `X-Request-Id` of a call, with or without blanks around it. */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text.trim());
