import type { ContentPart } from '../../../model/content.js';

/**
 * Which parts a bot or an application supports: text, and of these kinds what it can fetch by itself.
 * @param byAddress  kinds that are taken by their address; their bytes are not
 */
export const supportsTextAnd =
  (...byAddress: readonly ContentPart['type'][]) =>
  (part: ContentPart): boolean => {
    switch (part.type) {
      case 'image':
      case 'file':
      case 'audio':
        return byAddress.includes(part.type) && part.source.kind === 'url';
      case 'video':
      case 'vendor':
        return false;
      default:
        return true;
    }
  };
