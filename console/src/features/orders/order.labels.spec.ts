import { describe, expect, it } from '@jest/globals';
import { readEventDetail } from './order.labels';

describe('what happened to an order', () => {
  it.each([
    ['paid', 'payment pi_1', { word: 'payment', id: 'pi_1' }],
    ['failed', 'session cs_1', { word: 'session', id: 'cs_1' }],
    [
      'foreign',
      'payment pi_1 by epay: the payment method is not that of the order',
      { word: 'foreign', id: 'pi_1', provider: 'epay', what: 'method' },
    ],
    [
      'mismatch',
      'payment pi_1: expected 73.00 cny, got no sum',
      { word: 'mismatch', id: 'pi_1', expected: '73.00 cny', got: 'no sum' },
    ],
    [
      'refunded',
      'charge ch_1: 10 of 7300 usd refunded at Stripe',
      { word: 'charge', id: 'ch_1', refunded: '10', charged: '7300 usd' },
    ],
    [
      'disputed',
      'dispute dp_1: 7300 usd, fraudulent, they say',
      { word: 'dispute', id: 'dp_1', sum: '7300 usd', reason: 'fraudulent, they say' },
    ],
    [
      'dispute-closed',
      'dispute dp_1: 7300 usd, won',
      { word: 'dispute', id: 'dp_1', sum: '7300 usd', reason: 'won' },
    ],
    ['failed', 'the service did not answer', { word: 'said', said: 'the service did not answer' }],
    // A person may write what looks like a phrase of the server.
    ['completed-by-hand', 'payment pi_1', { word: 'said', said: 'payment pi_1' }],
  ])('%s: %s', (kind, text, detail) => {
    expect(readEventDetail(kind, text)).toEqual(detail);
  });
});
