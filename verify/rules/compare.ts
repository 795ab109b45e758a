/** Compares `decide` with the Python oracle. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decide, ruleSetOf, type RuleSet } from '../../domain/rules/decide';
import { shippedProfile, SHIPPED_PROFILES, type RuleProfile } from '../../domain/rules/profile';
import { offsetReader } from '../../domain/local-time';
import type { OnProgress } from '../../dev/progress';
import { repositoryRoot } from '../../dev/stack/repository';
import { installPythonPackages } from '../../dev/toolchain/python-packages';

const FOLDER = join(repositoryRoot(), 'verify', 'rules');

/** The oracle's first line. Instants and offsets are in seconds. */
interface Header {
  /** Names of shipped profiles, and profiles. */
  profiles: (string | RuleProfile)[];
  /** Instants and the zone's offset at each, by zone. */
  offsets: Record<string, [at: number, offset: number][]>;
}

interface OracleQuestion {
  toNumber: string;
  at: number;
  attempts: number[];
  consent: boolean;
  timezone: string | null;
}

type OracleAnswer = [
  refusedBy: string[],
  timezones: string[],
  zoneSource: string,
  nextAllowedAt: number | null,
];
type Line = [profile: number, question: OracleQuestion, answer: OracleAnswer];

export interface Difference {
  profile: string | RuleProfile;
  question: OracleQuestion;
  expected: OracleAnswer;
  actual: OracleAnswer;
}

export interface Comparison {
  compared: number;
  allowed: number;
  neverAllowed: number;
  /** Questions about zones whose offsets differ between the two copies of the time zone database. */
  skipped: number;
  skippedZones: string[];
  /** At most ten. */
  differences: Difference[];
  different: number;
  /** How long `decide` took for all questions. */
  decideMs: number;
}

const MAX_REPORTED = 10;

/** Returns an interpreter that has the oracle's packages. */
export async function oraclePython(onProgress: OnProgress): Promise<string> {
  const { python } = await installPythonPackages({
    name: 'rules-oracle',
    title: "the rules' oracle",
    downloadMb: 4,
    requirements: join(FOLDER, 'requirements.txt'),
    environment: process.env,
    onProgress,
  });
  return python;
}

/** Asks as many questions as given. A seed always asks the same questions. */
export async function compareWithOracle(options: {
  python: string;
  questions: number;
  seed: number;
}): Promise<Comparison> {
  const { python, questions, seed } = options;
  const args = [join(FOLDER, 'oracle.py'), '--questions', String(questions), '--seed', String(seed)];
  const oracle = spawn(python, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise<number | null>((resolve, reject) => {
    oracle.once('error', reject);
    oracle.once('close', resolve);
  });
  const result: Comparison = {
    compared: 0,
    allowed: 0,
    neverAllowed: 0,
    skipped: 0,
    skippedZones: [],
    differences: [],
    different: 0,
    decideMs: 0,
  };
  let check: ((line: Line) => void) | null = null;
  for await (const text of createInterface({ input: oracle.stdout })) {
    if (check === null) check = checker(JSON.parse(text) as Header, result);
    else check(JSON.parse(text) as Line);
  }
  const status = await closed;
  if (status !== 0) throw new Error(`The oracle exited with status ${status}`);
  return result;
}

function checker({ profiles, offsets }: Header, result: Comparison): (line: Line) => void {
  const ruleSets = profiles.map(ruleSetNamed);
  result.skippedZones = Object.entries(offsets)
    .filter(([zone, known]) => {
      const offsetAt = offsetReader(zone);
      return known.some(([at, offset]) => offsetAt(at * 1000) !== offset * 1000);
    })
    .map(([zone]) => zone);
  const skipped = new Set(result.skippedZones);
  return ([index, question, expected]) => {
    if (expected[1].some((zone) => skipped.has(zone))) {
      result.skipped += 1;
      return;
    }
    const profile = profiles[index];
    const rules = ruleSets[index];
    if (profile === undefined || rules === undefined) throw new Error(`The oracle sent no profile ${index}`);
    const begun = performance.now();
    const actual = answerOf(rules, question);
    result.decideMs += performance.now() - begun;
    result.compared += 1;
    if (actual[0].length === 0) result.allowed += 1;
    if (actual[3] === null) result.neverAllowed += 1;
    if (JSON.stringify(actual) === JSON.stringify(expected)) return;
    result.different += 1;
    if (result.differences.length < MAX_REPORTED)
      result.differences.push({ profile, question, expected, actual });
  };
}

function ruleSetNamed(profile: string | RuleProfile): RuleSet {
  if (typeof profile !== 'string') return ruleSetOf(profile);
  const name = SHIPPED_PROFILES.find((each) => each === profile);
  if (name === undefined) throw new Error(`The oracle asks about an unknown profile ${profile}`);
  return ruleSetOf(shippedProfile(name));
}

function answerOf(
  rules: RuleSet,
  { toNumber, at, attempts, consent, timezone }: OracleQuestion,
): OracleAnswer {
  const decision = decide(rules, {
    toNumber,
    at: at * 1000,
    attempts: attempts.map((attempt) => attempt * 1000),
    consent,
    ...(timezone !== null && { timezone }),
  });
  const next = decision.nextAllowedAt;
  return [
    decision.refusedBy,
    [...decision.timezones],
    decision.zoneSource,
    next === null ? null : next / 1000,
  ];
}
