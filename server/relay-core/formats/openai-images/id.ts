/** Keys of these formats in vendor options and registries: one grammar, three addresses. */
export const IMAGES_FORMAT = 'openai-images';
const IMAGE_EDITS_FORMAT = 'openai-image-edits';
const IMAGE_VARIATIONS_FORMAT = 'openai-image-variations';
export const IMAGE_FORMATS = {
  generate: IMAGES_FORMAT,
  edit: IMAGE_EDITS_FORMAT,
  vary: IMAGE_VARIATIONS_FORMAT,
} as const;
export type ImageTask = keyof typeof IMAGE_FORMATS;
