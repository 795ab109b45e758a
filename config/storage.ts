import {
  address,
  choice,
  flag,
  hasNoEffectWithout,
  isSet,
  onlyWith,
  parsed,
  text,
  variable,
  type Rule,
} from './variable';

const readBy = ['api', 'worker', 'admin'] as const;

const prefix = parsed('folders', 'folders without .., such as calls/recordings', (given) =>
  /^(?!.*\.\.)[\w.-]+(\/[\w.-]+)*\/?$/.test(given) ? given : undefined,
);

const secretOfKey: Rule = (value, other) => {
  if (isSet(value) === isSet(other('S3_ACCESS_KEY_ID'))) return null;
  return isSet(value) ? hasNoEffectWithout('S3_ACCESS_KEY_ID') : 'is required with S3_ACCESS_KEY_ID';
};

export const STORAGE = {
  DATA_DIR: variable({
    kind: text,
    default: '.data',
    readBy: [...readBy, 'stack'],
    description:
      "Folder of contact files and recordings. Must be the same for API, worker and `npm run admin`. For `npm start`, `npm run demo` and `npm run clean` it's the folder of all data of the local stack.",
  }),
  S3_BUCKET: variable({
    kind: text,
    readBy,
    description:
      'A bucket of any S3-compatible storage, instead of the folder DATA_DIR. Must be the same for API, worker and `npm run admin`. Files that are still in the folder are read from there, and `npm run admin -- storage move` moves them (docs/scaling.md).',
  }),
  S3_REGION: variable({ kind: text, default: 'us-east-1', readBy, description: 'Region of the bucket.' }),
  S3_ENDPOINT: variable({
    kind: address('http', 'https'),
    readBy,
    rule: onlyWith('S3_BUCKET'),
    description: "Address of the storage. The default is Amazon's for the region.",
  }),
  S3_PATH_STYLE: variable({
    kind: flag,
    readBy,
    description:
      'true puts the name of the bucket into the path of the URL. This is the default if S3_ENDPOINT is set.',
  }),
  S3_ACCESS_KEY_ID: variable({
    kind: text,
    readBy,
    rule: onlyWith('S3_BUCKET'),
    description:
      "Access key for the storage. If unset, the AWS SDK uses its own variables and files or the machine's role.",
  }),
  S3_SECRET_ACCESS_KEY: variable({
    kind: text,
    readBy,
    rule: secretOfKey,
    description: 'Secret of S3_ACCESS_KEY_ID.',
  }),
  S3_PREFIX: variable({
    kind: prefix,
    readBy,
    description: 'Folder in the bucket, if you share the bucket.',
  }),
  S3_ENCRYPTION: variable({
    kind: choice('AES256', 'aws:kms'),
    readBy,
    rule: onlyWith('S3_BUCKET'),
    description: "Encryption by the storage. The default is the bucket's setting.",
  }),
  S3_KMS_KEY_ID: variable({
    kind: text,
    readBy,
    rule: (value, other) =>
      isSet(value) && other('S3_ENCRYPTION') !== 'aws:kms'
        ? hasNoEffectWithout('S3_ENCRYPTION=aws:kms')
        : null,
    description: 'KMS key id for S3_ENCRYPTION=aws:kms.',
  }),
};
