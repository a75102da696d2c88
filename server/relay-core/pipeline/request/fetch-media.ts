import { requestRefusal } from '../../model/refusals.js';
import { ok, type Result } from '../../../common/result.js';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart, MediaKind } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { MediaFetcher } from '../../ports/media-fetcher.js';
import { bytesSource, kindOfSource } from '../../formats/shared/fields/media-bytes.js';
import type { NeutralRequest } from '../../formats/contract/api-format.js';

type Needs = (media: MediaKind, url: string) => boolean | undefined;
type Media = Extract<ContentPart, { readonly type: MediaKind }>;

/** Files one call may have fetched; more would turn a request into a crawler. */
const MAX_FILES = 32;

/**
 * The request with the bytes of those files its vendor cannot fetch itself. A file named twice is fetched once.
 * @returns undefined when there is nothing to fetch. Fails: invalid-request.
 */
export function fetchMedia<Request extends NeutralRequest<Operation>>(
  fetcher: MediaFetcher,
  request: Request,
  needs: Needs,
): Promise<Result<Request, RelayError>> | undefined {
  if (!isChat(request)) return undefined;
  const wanted = new Map<string, MediaKind>();
  for (const { content } of request.messages) {
    for (const part of content) {
      if (isMedia(part) && part.source.kind === 'url' && needs(part.type, part.source.url) === true)
        wanted.set(part.source.url, part.type);
    }
  }
  if (wanted.size === 0) return undefined;
  return fetchAll(fetcher, request, wanted);
}

async function fetchAll<Request extends NeutralRequest<Operation> & ChatRequest>(
  fetcher: MediaFetcher,
  request: Request,
  wanted: ReadonlyMap<string, MediaKind>,
): Promise<Result<Request, RelayError>> {
  if (wanted.size > MAX_FILES) {
    return {
      ok: false,
      error: requestRefusal(
        `At most ${MAX_FILES} files can be given by address in one request to this model.`,
      ),
    };
  }
  const found = new Map<string, { readonly base64: string; readonly mediaType: string }>();
  const answers = await Promise.all(
    [...wanted].map(async ([url, media]) => [url, await fetcher.fetchFile(url, media, 'user')] as const),
  );
  for (const [url, answer] of answers) {
    if (!answer.ok) return answer;
    found.set(url, answer.value);
  }
  const messages = request.messages.map((message): Message => {
    const content = message.content.map((part): ContentPart => {
      if (!isMedia(part) || part.source.kind !== 'url') return part;
      const file = found.get(part.source.url);
      if (file === undefined) return part;
      const source = bytesSource(file.base64, file.mediaType);
      return { ...part, type: kindOfSource(source, part.type), source };
    });
    return { ...message, content };
  });
  return ok({ ...request, messages });
}

const MEDIA: ReadonlySet<string> = new Set<MediaKind>(['image', 'audio', 'video', 'file']);
const isMedia = (part: ContentPart): part is Media => MEDIA.has(part.type);

const isChat = <Request extends NeutralRequest<Operation>>(
  request: Request,
): request is Request & ChatRequest => 'messages' in request;
