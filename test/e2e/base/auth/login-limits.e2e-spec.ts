import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient, type ApiReply } from '../../../support/api-client.ts';
import { ROOT_ACCOUNT, signUp } from '../../../support/build-test-app.ts';
import {
  type AccountsFixture,
  PASSWORD,
  startAccounts,
  STORAGES,
} from '../../../support/fixtures/accounts.fixture.ts';

/** Five guesses are free, the sixth takes the first waiting place; then places come free after 2, 4, 8 seconds. */
function mostHeard(sinceMs: number): number {
  const seconds = (performance.now() - sinceMs) / 1_000;
  return 5 + Math.floor(Math.log2(seconds + 2));
}

describe.each(STORAGES)('guesses at a password with %s', (storage) => {
  let fixture: AccountsFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await startAccounts(storage);
  });
  afterAll(() => fixture.close());

  /** Makes an account with an address, which has signed in only from the test's own machine. */
  const newPerson = async () => {
    const username = `guessed${(count += 1)}`;
    const email = `first.last${count}@example.test`;
    const client = await signUp(fixture.root, { username });
    await giveMail(client.userId, email);
    return { username, email, client };
  };
  const giveMail = (id: number, email: string) =>
    fixture.app.dataSource.getRepository(UserEntity).update({ id }, { email, emailFolded: email });
  const login = (name: string, password: string, from: ApiClient, unlock?: string): Promise<ApiReply> =>
    from.post('/api/user/login', { username: name, password, unlock });
  const wide = (text: string): string =>
    text.replaceAll(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

  /** Every way of writing the name and the address that finds the account. */
  const spellings = (username: string, email: string): string[] => {
    const [local = '', domain = ''] = email.split('@');
    const names = [username, username.toUpperCase(), ` ${username}`, `${username}\t`, capital(username)];
    const domains = [
      domain,
      domain.toUpperCase(),
      domain.replace('example', wide('example')),
      domain.replace('e', '\u212f'),
      domain.replace('test', '\u1d57est'),
      domain.normalize('NFKD'),
    ];
    const locals = [local, local.toUpperCase(), capital(local)];
    return [
      ...names,
      ...locals.flatMap((written) => domains.map((place) => `${written}@${place}`)),
      ` ${email} `,
    ];
  };

  it('adds them up however the name or the mail address of the account is spelled', async () => {
    const { username, email } = await newPerson();
    const stranger = fixture.guest();
    const sinceMs = performance.now();
    const codes: unknown[] = [];
    for (const name of spellings(username, email))
      codes.push((await login(name, 'a guess', stranger)).body.code);
    expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(mostHeard(sinceMs));
    expect(codes.length).toBeGreaterThan(20);
    // Every one of the spellings is the account's own: with the right password it opens it.
    const other = await newPerson();
    for (const name of spellings(other.username, other.email)) {
      const { body } = await login(name, PASSWORD, fixture.guest());
      expect([name, body.success]).toEqual([name, true]);
    }
  });

  it('adds them up for an unused name, in the form that is looked up', async () => {
    const stranger = fixture.guest();
    const sinceMs = performance.now();
    const codes: unknown[] = [];
    for (const name of spellings('nobody-here', 'nobody.here@example.test').filter((text) =>
      text.includes('@'),
    ))
      codes.push((await login(name, 'a guess', stranger)).body.code);
    expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(mostHeard(sinceMs));
  });

  it('answers guesses from many addresses a few times only, and does not keep the owner out at a new one', async () => {
    const codes: unknown[] = [];
    for (let guess = 0; guess < 60; guess += 1)
      codes.push((await login(ROOT_ACCOUNT.username, `guess ${guess}`, fixture.guest())).body.code);
    expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(12);
    expect(codes.at(-1)).toBe('login_too_often');
    const atNewPlace = fixture.guest();
    expect((await login(ROOT_ACCOUNT.username, ROOT_ACCOUNT.password, atNewPlace)).body.success).toBe(true);
    // Refused attempts give the guessing address no further try.
    expect((await login(ROOT_ACCOUNT.username, 'a guess', fixture.guest())).body.code).toBe(
      'login_too_often',
    );
  });

  it('admits an address that failed only once while the account is busy, right or wrong', async () => {
    const { username } = await newPerson();
    const stranger = fixture.guest();
    for (let guess = 0; guess < 10; guess += 1) await login(username, 'a guess', stranger);
    expect((await login(username, PASSWORD, stranger)).body.code).toBe('login_too_often');
  });

  it('lets the owner in at an address signed in from before, whatever is guessed at other accounts', async () => {
    const { username } = await newPerson();
    const office = fixture.guest();
    expect((await login(username, PASSWORD, office)).body.success).toBe(true);
    let refused = 0;
    for (let guess = 0; guess < 60; guess += 1)
      if ((await login(`someone-${guess}`, 'a guess', office)).body.code === 'login_too_often') refused += 1;
    expect(refused).toBeGreaterThan(0);
    expect((await login(username, PASSWORD, office)).body.success).toBe(true);
  });

  it('admits one attempt by the link mailed to the owner, and only for its account', async () => {
    const { username, email } = await newPerson();
    const other = await newPerson();
    const owner = fixture.guest();
    for (let guess = 0; guess < 10; guess += 1) await login(username, 'a guess', owner);
    expect((await login(email, PASSWORD, owner)).body.code).toBe('login_too_often');
    const asked = await fixture.guest().post('/api/user/login/unlock', { username: email.toUpperCase() });
    expect(asked.body).toEqual({ success: true, message: '' });
    const { text } = await fixture.mail.letterTo(email);
    const link = new URL(/^https:\/\/\S+$/m.exec(text)?.[0] ?? 'about:blank');
    expect(link.pathname).toBe('/login');
    const unlock = link.searchParams.get('unlock') ?? '';
    // A link is no password, and its own guesses are counted as others are.
    const sinceMs = performance.now();
    const codes: unknown[] = [];
    for (let guess = 0; guess < 8; guess += 1)
      codes.push((await login(username, 'a guess', fixture.guest(), unlock)).body.code);
    expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(mostHeard(sinceMs));
    expect(codes).toContain('login_too_often');
    for (let guess = 0; guess < 10; guess += 1) await login(other.username, 'a guess', owner);
    expect((await login(other.username, PASSWORD, owner, unlock)).body.code).toBe('login_too_often');
  });

  it('admits the owner with the mailed link', async () => {
    const { username, email } = await newPerson();
    const owner = fixture.guest();
    for (let guess = 0; guess < 10; guess += 1) await login(username, 'a guess', owner);
    await fixture.guest().post('/api/user/login/unlock', { username });
    const { text } = await fixture.mail.letterTo(email);
    const unlock =
      new URL(/^https:\/\/\S+$/m.exec(text)?.[0] ?? 'about:blank').searchParams.get('unlock') ?? '';
    expect((await login(username, PASSWORD, owner, unlock)).body.success).toBe(true);
  });

  it('answers a request for the mail alike for an unused name', async () => {
    const asked = await fixture.guest().post('/api/user/login/unlock', { username: 'nobody-at-all' });
    expect(asked.body).toEqual({ success: true, message: '' });
    expect((await fixture.guest().post('/api/user/login/unlock', { username: ' ' })).body.code).toBe(
      'login_fields_required',
    );
  });

  it('lets a signed-in owner confirm the own password, whatever others guess', async () => {
    const { username, client } = await newPerson();
    for (let guess = 0; guess < 20; guess += 1) await login(username, 'a guess', fixture.guest());
    client.headers['x-forwarded-for'] = '198.51.100.77';
    const changed = await client.put('/api/user/self', {
      original_password: PASSWORD,
      password: `${PASSWORD}-2`,
    });
    expect(changed.body.success).toBe(true);
  });

  it('counts mails to one mailbox together however its address is spelled', async () => {
    const asked: unknown[] = [];
    for (const address of [
      `box.one${storage.length}@example.test`,
      `boxone${storage.length}+a@EXAMPLE.test`,
      `B.O.X.O.N.E${storage.length}@example.test`,
    ])
      asked.push((await fixture.askCode(address)).body.code);
    expect(asked).toEqual([undefined, 'mail_too_often', 'mail_too_often']);
  });
});
