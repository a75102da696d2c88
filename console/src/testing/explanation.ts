import type { Explanation } from '../shared/receipt/explanation.api';
import { NOON } from './builders';

export function anExplanation(parts: Partial<Explanation> = {}): Explanation {
  return {
    request_id: '0197a3b2-7c1d-7e55-9d0e-3f6a1b2c3d4e',
    created_at: NOON - 60,
    model: 'gpt-4o',
    group: 'default',
    prompt_tokens: 410,
    completion_tokens: 200,
    outcome: 'ok',
    evidence: 'reported',
    price_revision: 12,
    is_price_unset: false,
    charge: {
      mode: 'ratio',
      steps: [
        { part: 'textInput', count: 410, ratio: '1', subtotal: '512.5' },
        { part: 'textOutput', count: 200, ratio: '4', subtotal: '1000' },
      ],
      base_ratio: '1.25',
      group_ratio: '1',
      agreed_for: null,
      exact: '1512.5',
      rounding: 'half-up',
      priced: 1_513,
      charged: 1_513,
      writeoff: 0,
      tier: null,
      service_tier: null,
      factor: null,
      correction: 0,
      is_consistent: true,
      formula: '(410 + 200 × 4) × 1.25 × 1 = 1512.5 → 1513',
    },
    limits: [],
    is_stream: true,
    first_byte_ms: 412,
    duration_ms: 1_870,
    attempts: [
      {
        channel_id: 2,
        channel_name: 'Backup',
        started_at_ms: 1_000,
        ended_at_ms: 1_240,
        failure: 'upstream-overloaded',
        upstream_status: 503,
      },
      {
        channel_id: 1,
        channel_name: 'OpenAI main',
        started_at_ms: 1_250,
        ended_at_ms: 2_870,
        failure: '',
        upstream_status: 200,
      },
    ],
    ...parts,
  };
}
