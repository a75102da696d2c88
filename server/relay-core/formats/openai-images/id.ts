/** Keys of these wires in vendor options and registries: one grammar, three addresses. */
export const IMAGES_WIRE = 'openai-images';
export const IMAGE_EDITS_WIRE = 'openai-image-edits';
export const IMAGE_VARIATIONS_WIRE = 'openai-image-variations';
export const IMAGE_WIRES = {
  generate: IMAGES_WIRE,
  edit: IMAGE_EDITS_WIRE,
  vary: IMAGE_VARIATIONS_WIRE,
} as const;
export type ImageTask = keyof typeof IMAGE_WIRES;
