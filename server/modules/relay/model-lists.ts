import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openai } from '../../relay-core/dialects/openai.js';
import type { Caller } from '../../relay-core/model/call.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { ChannelPicker } from '../../relay-core/ports/channel-picker.js';
import { familyOfModel } from '../channels/model-name.js';
import { answer, refuse } from './relay-replies.js';
import { repeatsCredential } from './request-checks.js';
import { unauthenticated } from '../tokens/caller-record.js';

/** A moment before any model of this API family; the API wants one and we know none. */
const CREATED_SECONDS = 1_626_777_600;
const PREFIX = '/v1/models/';

/** `GET /v1/models` and `/v1/models/{id}` in OpenAI's shape: what the key may use (relay reference 1.10). */
@Injectable()
export class ModelLists {
  constructor(
    private readonly callers: CallerDirectory,
    private readonly picker: ChannelPicker,
  ) {}

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, (caller) => {
      const data = this.modelsOf(caller).map(presentModel);
      return answer(request, reply, 200, { object: 'list', data });
    });
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, (caller) => {
      const model = readModelName(request.url);
      if (
        model !== null &&
        this.modelsOf(caller).some((one) => one === model || one === familyOfModel(model))
      ) {
        return answer(request, reply, 200, presentModel(model));
      }
      return refuse(request, reply, {
        kind: 'model-not-found',
        blame: 'caller',
        message: `The model ${(model ?? '').slice(0, 255)} does not exist or you do not have access to it.`,
      });
    });
  }

  private async answerCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (caller: Caller) => FastifyReply,
  ): Promise<FastifyReply> {
    if (repeatsCredential(request.raw.rawHeaders)) {
      return refuse(request, reply, unauthenticated('Send exactly one API key.'));
    }
    const credential = openai.findCredential(request.headers, '');
    if (!credential.ok) return refuse(request, reply, credential.error);
    const caller = await this.callers.identify(credential.value, request.ip);
    return caller.ok ? respond(caller.value) : refuse(request, reply, caller.error);
  }

  /** The token's list as far as somebody serves it, else everything its group may use. */
  private modelsOf(caller: Caller): readonly string[] {
    const served = this.picker.modelsOf(caller.group);
    const { modelLimits } = caller;
    if (modelLimits === null) return served;
    const families = new Set(served);
    return [...modelLimits]
      .filter((model) => families.has(model) || families.has(familyOfModel(model)))
      .sort();
  }
}

/** Model names may hold slashes and escapes. Null = not decodable. */
function readModelName(url: string): string | null {
  const path = url.split('?', 1)[0] ?? '';
  try {
    return decodeURIComponent(path.slice(PREFIX.length).replace(/\/$/, ''));
  } catch {
    return null; // a stray percent sign: no model has that name
  }
}

const presentModel = (id: string) => ({
  id,
  object: 'model',
  created: CREATED_SECONDS,
  owned_by: 'custom',
  supported_endpoint_types: [/embed|^bge-|^m3e/i.test(id) ? 'embeddings' : 'openai'],
});
