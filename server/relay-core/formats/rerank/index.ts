import { spliceBody } from '../shared/requests/splice-body.js';
import type { UpstreamFormat, ApiFormat } from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';
import { RerankMeter } from './meter.js';
import { parseRerankCall } from './parse-call.js';
import { readRerankReply } from './read-reply.js';
import { hasRequestedRanking, writeRerankReply } from './write-reply.js';
import {
  writeAliRerank,
  writeBedrockRerank,
  writeCohereRerank,
  writeRerankRequest,
} from './write-request.js';

/** The ranking grammar Jina's and Cohere's clients share: https://jina.ai/reranker, https://docs.cohere.com/reference/rerank (read 2026-11-21). */
export const rerank: ApiFormat<'rerank'> = {
  id: RERANK_FORMAT,
  replyType: 'application/json',
  parseCall: parseRerankCall,
  spliceRequest: spliceBody,
  writeRequest: writeRerankRequest,
  openMeter: (call) => new RerankMeter(call),
  readReply: readRerankReply,
  writeReply: writeRerankReply,
  hasRequestedForm: hasRequestedRanking,
};

/** A vendor's own dialect of it: always by way of the neutral model, so that every caller gets one shape. */
function variant(
  id: string,
  writeRequest: UpstreamFormat<'rerank'>['writeRequest'],
  trustsUsage = true,
): UpstreamFormat<'rerank'> {
  return {
    id,
    spliceRequest: spliceBody,
    writeRequest,
    openMeter: (call) => new RerankMeter(call, trustsUsage),
    readReply: readRerankReply,
  };
}

/** Same request; figures stand in `meta.tokens`. */
export const siliconflowRerank = variant('siliconflow-rerank', writeRerankRequest);
/** Same request; documents come in several shapes, and figures are not to be believed. */
export const xinferenceRerank = variant('xinference-rerank', writeRerankRequest, false);
export const cohereRerank = variant('cohere-rerank', writeCohereRerank);
export const aliRerank = variant('ali-rerank', writeAliRerank);
export const bedrockRerank = variant('bedrock-rerank', writeBedrockRerank);
