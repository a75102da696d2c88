import { expect } from '@jest/globals';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { VendorRequest } from './vendor-server.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
/** A channel key whose signatures `expectSigned` knows. */
export const AWS_KEY = `AKIDEXAMPLE12345|${SECRET}|us-east-1`;

/** Signs what came once more, with AWS's own package, and compares. */
export async function expectSigned(request: VendorRequest): Promise<void> {
  const { authorization = '', host = '' } = request.headers;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345\/\d{8}\/us-east-1\/bedrock\/aws4_request, SignedHeaders=([^,]*), /.exec(
      authorization,
    );
  const names = parts?.[1]?.split(';') ?? [];
  expect(names).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-content-sha256']));
  const date = String(request.headers['x-amz-date']);
  const signer = new SignatureV4({
    credentials: { accessKeyId: 'AKIDEXAMPLE12345', secretAccessKey: SECRET },
    region: 'us-east-1',
    service: 'bedrock',
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: 'http:',
      hostname: host,
      path: request.path,
      headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
      body: request.bytes,
    },
    { signingDate: new Date(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')) },
  );
  expect(authorization).toBe(signed.headers['authorization']);
}
