import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../../relay-core/dialects/dialect.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { ChannelPicker } from '../../relay-core/ports/channel-picker.js';
import { PriceBook } from '../../relay-core/ports/price-book.js';
import { familyOfModel } from '../../relay-core/model/model-family.js';
import { dialectOf } from '../http/dialect-of.js';
import { identifyCaller } from '../http/identify-caller.js';
import { presenterOf } from './model-presenters.js';
import { pathOf, queryOf } from '../http/relay-paths.js';
import { answer, refuse } from '../http/relay-replies.js';

const LIST = /^\/(?:v1|v1beta|v1beta\/openai)\/models\//;

/** The list of models and one model, in the shape of the caller's dialect: what the key may use. */
@Injectable()
export class ModelLists {
  constructor(
    private readonly callers: CallerDirectory,
    private readonly picker: ChannelPicker,
    private readonly prices: PriceBook,
  ) {}

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, (caller, dialect) => {
      const query = new URLSearchParams(queryOf(request.url));
      return answer(request, reply, 200, presenterOf(dialect).list(this.modelsOf(caller), query));
    });
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.answerCaller(request, reply, (caller, dialect) => {
      const model = readModelName(request.url);
      if (
        model !== null &&
        this.modelsOf(caller).some((one) => one === model || one === familyOfModel(model))
      ) {
        return answer(request, reply, 200, presenterOf(dialect).one(model));
      }
      return refuse(request, reply, refusal('model-unknown', { model: (model ?? '').slice(0, 255) }));
    });
  }

  private async answerCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (caller: Caller, dialect: Dialect) => FastifyReply,
  ): Promise<FastifyReply> {
    const caller = await identifyCaller(this.callers, request);
    if (!caller.ok) return refuse(request, reply, caller.error);
    return respond(caller.value, dialectOf(request.url, request.headers));
  }

  /** Models a call would not be refused for: the token's list, else those of its group, as far as they are served and have a price. */
  private modelsOf(caller: Caller): readonly string[] {
    return this.allowedTo(caller).filter((model) => this.prices.hasPrice(caller, model));
  }

  private allowedTo(caller: Caller): readonly string[] {
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
  try {
    return decodeURIComponent(pathOf(url).replace(LIST, ''));
  } catch {
    return null; // a stray percent sign: no model has that name
  }
}
