import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Language } from '../../../common/language.js';
import { cleanLine } from '../../../common/text.js';
import { OutboundPolicy } from '../../../infra/http-client/safe-url.js';
import { Clock } from '../../../common/clock.js';
import type { OptionValues } from '../../options/option-catalogue.js';
import { OptionsService } from '../../options/options.service.js';
import { parseMailAddress } from '../../../common/mail-address.js';
import { MailHealth } from './mail-health.js';
import { writeMailHtml, writeMailText } from './mail-page.js';
import { MAIL_TEMPLATES, type MailTemplate, type MailValues } from './mail-templates.js';
import { deliver, type OutgoingMail, MailFault, mailFaultOf, type Subscription } from './smtp-delivery.js';
import { connectToMailServer, smtpServerOf } from './smtp-server.js';

/** A mail to one recipient. */
export type MailOrder<Name extends MailTemplate = MailTemplate> = {
  readonly [Each in Name]: {
    /** One plain address. */
    readonly to: string;
    readonly template: Each;
    readonly language: Language;
    readonly values: MailValues[Each];
    /** For a series of e-mails: the address that stops it. */
    readonly subscription?: Subscription;
  };
}[Name];

const CONNECT_MS = 10_000;
/** Maximum number of waiting mails; a flood beyond it is dropped, with a line in the log. */
const MAX_WAITING = 500;
const MAX_RUNNING = 2;
/** Pauses before another attempt, when the server answered "later". */
const RETRIES_MS = [2_000, 15_000] as const;
const SHUTDOWN_MS = 5_000;

/** Sends mail through the server of the options. */
@Injectable()
export class Mailer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly waiting: MailOrder[] = [];
  private readonly idleListeners: (() => void)[] = [];
  private running = 0;
  private isClosing = false;

  constructor(
    private readonly options: OptionsService,
    private readonly policy: OutboundPolicy,
    private readonly clock: Clock,
    private readonly health: MailHealth,
  ) {}

  /** True when the options name a mail server and a sender. */
  get isSetUp(): boolean {
    return smtpServerOf(this.options.values()) !== null;
  }

  /** Sends now. Fails: MailFault. */
  async send(order: MailOrder): Promise<void> {
    const settings = this.options.values();
    try {
      await this.sendBy(settings, order);
    } catch (error) {
      const fault = mailFaultOf(error);
      await this.health.recordFailure(settings, fault);
      throw fault;
    }
  }

  private async sendBy(settings: OptionValues, order: MailOrder): Promise<void> {
    const server = smtpServerOf(settings);
    if (server === null)
      throw new MailFault('not-set-up', 'the mail server or the sender address is not filled in');
    const letter = this.write(order);
    await deliver(server, await connectToMailServer(this.policy, server, CONNECT_MS), letter);
    await this.health.recordSent(settings);
  }

  /**
   * Sends in the background: the response time does not reveal whether a mail is sent. Never fails; what cannot be sent is logged
   * without its content.
   */
  post(order: MailOrder): void {
    if (this.waiting.length >= MAX_WAITING || this.isClosing) {
      const reason = `${this.waiting.length} letters are waiting`;
      this.logger.error(`a ${order.template} mail was dropped: ${reason}`);
      void this.health.recordFailure(this.options.values(), new MailFault('unreachable', reason));
      return;
    }
    this.waiting.push(order);
    setImmediate(() => this.startNext());
  }

  /** Settles when nothing waits and nothing is being sent. */
  async whenIdle(): Promise<void> {
    if (this.running === 0 && this.waiting.length === 0) return;
    await new Promise<void>((resolve) => this.idleListeners.push(resolve));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await Promise.race([
      this.whenIdle(),
      new Promise<void>((resolve) => this.clock.after(SHUTDOWN_MS, resolve)),
    ]);
    if (this.waiting.length > 0)
      this.logger.error(`${this.waiting.length} mails were not sent before the end`);
    this.waiting.length = 0;
  }

  private startNext(): void {
    while (this.running < MAX_RUNNING) {
      const order = this.waiting.shift();
      if (order === undefined) break;
      this.running += 1;
      void this.sendWithRetries(order).finally(() => {
        this.running -= 1;
        this.startNext();
        if (this.running === 0 && this.waiting.length === 0)
          for (const tell of this.idleListeners.splice(0)) tell();
      });
    }
  }

  private async sendWithRetries(order: MailOrder): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const settings = this.options.values();
      try {
        await this.sendBy(settings, order);
        return;
      } catch (error) {
        const fault = mailFaultOf(error);
        const pauseMs = RETRIES_MS[attempt];
        if (!fault.isPassing || pauseMs === undefined || this.isClosing) {
          this.logger.warn(`a ${order.template} mail was not sent (${fault.kind}): ${fault.reason}`);
          await this.health.recordFailure(settings, fault);
          return;
        }
        await new Promise<void>((resolve) => this.clock.after(pauseMs, resolve));
      }
    }
  }

  private write({ to, template, language, values, subscription }: MailOrder): OutgoingMail {
    const address = parseMailAddress(to);
    if (address === null) throw new MailFault('receiver', 'this is not one plain mail address');
    const systemName = cleanLine(this.options.values().SystemName);
    // The order pairs each template with its own values; the union of functions does not remember that.
    const writePage = MAIL_TEMPLATES[template][language] as (
      given: MailValues[MailTemplate],
      name: string,
    ) => ReturnType<(typeof MAIL_TEMPLATES)['test']['en']>;
    const page = writePage(values, systemName);
    return {
      to: address.address,
      fromName: systemName,
      subject: cleanLine(page.subject),
      html: writeMailHtml(page, systemName, language),
      text: writeMailText(page, systemName),
      ...(subscription === undefined ? {} : { subscription }),
    };
  }
}
