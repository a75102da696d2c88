import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/schemas';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { useFreshly } from '../../shared/identity/step-up';
import { channelNames, useAddChannel, useEditChannel } from './api';
import { freeName } from './key-vendors';
import { type FirstToken, storePrices, streamAnswer, usableToken } from './start.api';
import { testChannel } from './test-channel';

/** Steps between the form and the answer, in their order. */
export const FIRST_STEPS = ['prices', 'channel', 'test', 'token', 'answer'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

export interface FirstAnswerPlan {
  readonly items: Schemas['PriceSyncApply']['items'];
  readonly channel: Schemas['ChannelInput'];
  readonly model: string;
  readonly question: string;
}

export interface FirstAnswerProgress {
  /** Step in progress, or the one that failed; undefined = none was begun, or all are done. */
  readonly current: FirstStep | undefined;
  readonly done: readonly FirstStep[];
  readonly failure: string | undefined;
  readonly token: FirstToken | undefined;
  readonly answer: string;
  /** Request id of the answer; empty until it comes. */
  readonly reference: string;
}

const NOTHING_YET: FirstAnswerProgress = {
  current: undefined,
  done: [],
  failure: undefined,
  token: undefined,
  answer: '',
  reference: '',
};

/** Prices, channel, test, token, answer: one after the other, from one press. A second press goes on with the channel that was added. */
export function useFirstAnswer() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const freshly = useFreshly();
  const add = useAddChannel();
  const edit = useEditChannel({ inline: true });
  const [progress, setProgress] = useState(NOTHING_YET);
  const [isRunning, setRunning] = useState(false);
  const [channelId, setChannelId] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const saveChannel = async (channel: FirstAnswerPlan['channel']): Promise<number> => {
    if (channelId !== undefined) {
      await freshly(() => edit.mutateAsync({ ...channel, id: channelId }));
      return channelId;
    }
    const name = freeName(channel.name, await channelNames());
    const { ids } = await freshly(() => add.mutateAsync({ ...channel, name }));
    const id = ids[0] ?? 0;
    setChannelId(id);
    return id;
  };

  const run = async (plan: FirstAnswerPlan): Promise<void> => {
    const controller = new AbortController();
    stop.current = controller;
    const change = (parts: Partial<FirstAnswerProgress>) => setProgress((now) => ({ ...now, ...parts }));
    const begin = (current: FirstStep) =>
      change({ current, done: FIRST_STEPS.slice(0, FIRST_STEPS.indexOf(current)) });
    setProgress(NOTHING_YET);
    setRunning(true);
    try {
      begin('prices');
      if (plan.items.length > 0) await freshly(() => storePrices(plan.items, t('firstAnswer.priceNote')));
      begin('channel');
      const id = await saveChannel(plan.channel);
      begin('test');
      const test = await testChannel(id, plan.model, false, '');
      if (!test.ok) return change({ failure: test.message });
      begin('token');
      change({ token: await usableToken(t('firstAnswer.tokenName')) });
      begin('answer');
      const listener = {
        onReference: (reference: string) => change({ reference }),
        onText: (text: string) => setProgress((now) => ({ ...now, answer: now.answer + text })),
      };
      await streamAnswer(plan.model, plan.question, listener, controller.signal);
      change({ current: undefined, done: FIRST_STEPS });
    } catch (error) {
      if (!controller.signal.aborted) change({ failure: errorText(error) });
    } finally {
      setRunning(false);
      void client.invalidateQueries();
    }
  };
  return { progress, isRunning, channelId, run };
}
