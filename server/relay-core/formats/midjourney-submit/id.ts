/** Key of callers' submissions of drawings. */
export const MIDJOURNEY_FORMAT = 'midjourney-submit';
/** Key of the same at a vendor: never passed through, since operators decide what of a submission goes on. */
export const MIDJOURNEY_BACK_FORMAT = 'midjourney-proxy';
