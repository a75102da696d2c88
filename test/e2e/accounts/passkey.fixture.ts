import { expect } from '@jest/globals';
import { ApiClient, type ApiReply } from '../../support/api-client.js';
import { ROOT_ACCOUNT, setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.js';
import { FakeClock } from '../../support/fake-clock.js';
import {
  type Bend,
  type CreationOptions,
  type RequestOptions,
  SoftwareAuthenticator,
} from '../../support/software-authenticator.js';

export const PASSWORD = 'password-of-a-test';
export const PATH = '/api/user/passkey';

export interface Person {
  readonly client: ApiClient;
  readonly name: string;
  readonly device: SoftwareAuthenticator;
}

export interface PasskeyList {
  enabled: boolean;
  available: boolean;
  items: { id: number; name: string; last_used_at: number; synced: boolean }[];
}

/** An app on localhost, where browsers offer passkeys (on 127.0.0.1 they do not), and people with authenticators. */
export class PasskeyFixture {
  readonly clock = new FakeClock();
  root!: ApiClient;
  app!: TestApp;
  url = '';
  count = 0;

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.app = await startTestApp({
      clock: this.clock,
      env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...env },
    });
    this.url = this.app.url.replace('127.0.0.1', 'localhost');
    this.root = await setUpRoot({ url: this.url });
  }

  /** Root, signed in now: earlier logins may be over. */
  rootAnew(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  }

  async person(): Promise<Person> {
    this.count += 1;
    const name = `key${this.count}`;
    const client = await signUp(await this.rootAnew(), { username: name });
    return { client, name, device: new SoftwareAuthenticator(this.url) };
  }

  async begin(client: ApiClient): Promise<CreationOptions> {
    const answer = await client.expectSuccess<{ options: CreationOptions }>(
      'POST',
      `${PATH}/register/begin`,
      {},
    );
    return answer.options;
  }

  async beginLogin(): Promise<RequestOptions> {
    const guest = new ApiClient(this.url);
    const answer = await guest.expectSuccess<{ options: RequestOptions }>('POST', `${PATH}/login/begin`, {});
    return answer.options;
  }

  async addPasskey(
    { client, device }: Pick<Person, 'client' | 'device'>,
    name = 'laptop',
    bend: Bend = {},
  ): Promise<ApiReply> {
    const options = await this.begin(client);
    device.bend = bend;
    const credential = device.create(options);
    device.bend = {};
    return client.post(`${PATH}/register/finish`, { name, credential });
  }

  async withPasskey(): Promise<Person> {
    const owner = await this.person();
    expect((await this.addPasskey(owner)).body).toMatchObject({ success: true });
    return owner;
  }

  async signIn(device: SoftwareAuthenticator, bend: Bend = {}): Promise<ApiReply> {
    const options = await this.beginLogin();
    device.bend = bend;
    const credential = device.get(options);
    device.bend = {};
    return new ApiClient(this.url).post(`${PATH}/login/finish`, { credential });
  }

  listOf(client: ApiClient): Promise<PasskeyList> {
    return client.expectSuccess<PasskeyList>('GET', PATH);
  }

  async auditOf(target: number, action: string): Promise<{ actor_id: number; detail: string }[]> {
    const admin = await this.rootAnew();
    const path = `/api/audit?target_type=user&target_id=${target}&action=${action}`;
    return (await admin.expectSuccess<{ items: { actor_id: number; detail: string }[] }>('GET', path)).items;
  }
}

export const messageOf = (reply: ApiReply): string => reply.body.message ?? '';
