/**
 * Gives every third plan time zones, rule profiles and shared numbers. All windows open or close within minutes, so that the run ends soon:
 * on an ordinary day, at local midnight, or at a clock change.
 */
import type { ProfileRecord } from '../../faults/checker/evidence';
import { localText } from '../../faults/checker/local-time';
import { WEEKDAYS } from '../../faults/checker/terms';
import { Random } from '../../faults/random';
import type { CampaignPlan, CampaignRules, ContactPlan, Happening, SimulationPlan } from './plan';

interface Area {
  prefix: string;
  zones: string[];
}

/** Zones of the first digits of numbers, from libphonenumber's map. */
const NEW_YORK: Area = { prefix: '+1212', zones: ['America/New_York'] };
const LONDON: Area = { prefix: '+4420', zones: ['Europe/London'] };
const AREAS: readonly [Area, ...Area[]] = [
  NEW_YORK,
  LONDON,
  { prefix: '+1213', zones: ['America/Los_Angeles'] },
  { prefix: '+1907', zones: ['America/Adak', 'America/Anchorage'] },
  { prefix: '+9162', zones: ['Asia/Calcutta'] },
];

export function numberOf({ prefix, nth }: Pick<ContactPlan, 'prefix' | 'nth'>, ending: number): string {
  const width = (prefix.startsWith('+1') ? 12 : 13) - prefix.length - 2;
  return `${prefix}${String(nth).padStart(width, '0')}${String(ending).padStart(2, '0')}`;
}

/** Local times from which hours are drawn. */
type Hours = readonly [start: string, end: string];
type Zones = readonly [string, ...string[]];
const ALWAYS: Hours = ['00:00', '24:00'];

interface Scene {
  startMs: number;
  /** A window or a day begins or ends at this instant. */
  edgeMs: number;
  areas: readonly [Area, ...Area[]];
  /** Own zones of contacts, also of those whose number is elsewhere. */
  ownZones: readonly [string, ...string[]];
  /** Zones of campaigns. */
  windowZones: readonly [string | null, ...(string | null)[]];
  /** Draws hours in the zones of the contacts. */
  hours: (random: Random, zones: Zones) => Hours;
  /** Maximum numbers of attempts per day. */
  perDay: readonly [number | null, ...(number | null)[]];
}

export type SceneName = 'day' | 'midnight' | 'clock change';

const MINUTE_MS = 60_000;
const timeOf = (zone: string, atMs: number): string => localText(zone, atMs).slice(11, 16);
const dateOf = (zone: string, atMs: number): string => localText(zone, atMs).slice(0, 10);
const earliest = (zones: readonly string[], atMs: number): string =>
  zones.toSorted((a, b) => timeOf(a, atMs).localeCompare(timeOf(b, atMs)))[0] ?? 'UTC';

/** All zones have the same date. In the earliest zone the window may be about to open; in another it may be about to close. */
function ordinaryDay(): Scene {
  const edgeMs = Date.parse('2026-11-03T15:01:00.000Z');
  return {
    startMs: edgeMs - 50_000,
    edgeMs,
    areas: AREAS,
    ownZones: ['America/Denver', 'Asia/Kolkata', 'Pacific/Honolulu'],
    windowZones: ['contact', 'contact', 'America/New_York', null],
    hours: (random, zones) => [
      random.chance(0.35) ? timeOf(earliest(zones, edgeMs), edgeMs) : '00:00',
      random.chance(0.35) ? timeOf(random.pick(zones), edgeMs + 2 * MINUTE_MS) : '24:00',
    ],
    perDay: [null, null, 1, 2],
  };
}

function midnight(random: Random): Scene {
  const { area, atMs } = random.pick([
    { area: NEW_YORK, atMs: Date.parse('2026-11-03T05:00:00.000Z') },
    { area: LONDON, atMs: Date.parse('2026-07-15T23:00:00.000Z') },
  ]);
  return { ...inOneZone(random, area, atMs), hours: () => ALWAYS, perDay: [1, 1, 2] };
}

/** `hours` begin, end or continue at the clock change. */
interface ClockChange {
  area: Area;
  atMs: number;
  hours: readonly [Hours, ...Hours[]];
}

const CLOCK_CHANGES: readonly [ClockChange, ...ClockChange[]] = [
  {
    area: NEW_YORK,
    atMs: Date.parse('2026-11-01T06:00:00.000Z'),
    hours: [
      ['01:00', '01:30'],
      ['00:00', '02:00'],
    ],
  },
  {
    area: NEW_YORK,
    atMs: Date.parse('2026-03-08T07:00:00.000Z'),
    hours: [
      ['00:00', '02:30'],
      ['03:00', '24:00'],
    ],
  },
  {
    area: LONDON,
    atMs: Date.parse('2026-10-25T01:00:00.000Z'),
    hours: [
      ['01:00', '01:30'],
      ['00:00', '02:00'],
    ],
  },
  {
    area: LONDON,
    atMs: Date.parse('2026-03-29T01:00:00.000Z'),
    hours: [
      ['00:00', '01:30'],
      ['02:00', '24:00'],
    ],
  },
];

function clockChange(random: Random): Scene {
  const { area, atMs, hours } = random.pick(CLOCK_CHANGES);
  return { ...inOneZone(random, area, atMs), hours: () => random.pick(hours), perDay: [null, null, 1] };
}

function inOneZone(random: Random, area: Area, edgeMs: number): Omit<Scene, 'hours' | 'perDay'> {
  const zone = area.zones[0] ?? 'UTC';
  const startMs = edgeMs - random.between(8_000, 40_000);
  return { startMs, edgeMs, areas: [area], ownZones: [zone], windowZones: ['contact', 'contact', zone] };
}

const SCENES: Record<SceneName, (random: Random) => Scene> = {
  day: ordinaryDay,
  midnight,
  'clock change': clockChange,
};

export const withRules = (plan: SimulationPlan): SimulationPlan =>
  plan.seed % 3 === 2 ? inScene(plan) : plan;

/** Draws the rules from the plan's seed. Other parts of the plan stay the same, except that more campaigns share an organization. */
export function inScene(plan: SimulationPlan, name?: SceneName): SimulationPlan {
  const random = new Random(Math.imul(plan.seed, 0x9e3779b1) ^ 0x7f4a7c15);
  const scene = SCENES[name ?? random.pick(['day', 'day', 'midnight', 'clock change'])](random);
  const [first] = plan.campaigns;
  const campaigns = plan.campaigns.length === 1 && first ? [first, { ...first }] : plan.campaigns;
  const shared = [75, 80, 85, 1].map((ending, nth) => ({
    ...random.pick(scene.areas),
    nth: nth + 500,
    ending,
  }));
  const dispatches = Array.from({ length: random.between(0, 3) }, (): Happening => {
    const { ending, ...contact } = random.pick(shared as [(typeof shared)[0]]);
    const atMs = random.between(1_000, 40_000);
    return { kind: 'dispatch', atMs, organization: 0, ending, number: numberOf(contact, ending) };
  });
  // Appended contacts are in India, and in a scene of another zone they would wait for their midnight.
  const fits = ({ kind }: Happening): boolean => kind !== 'append' || scene.areas === AREAS;
  return {
    ...plan,
    startMs: scene.startMs,
    campaigns: campaigns.map((campaign, index) => drawRules(random, scene, { campaign, index, shared })),
    happenings: [...plan.happenings.filter(fits), ...dispatches].sort((one, other) => one.atMs - other.atMs),
    organizationProfile: random.chance(0.3)
      ? { ...NO_RULES, max_per_7_days: random.pick([2, 3]), min_gap_minutes: random.pick([0, 1]) }
      : null,
  };
}

interface Shared extends Area {
  nth: number;
  ending: number;
}

function drawRules(
  random: Random,
  scene: Scene,
  { campaign, index, shared }: { campaign: CampaignPlan; index: number; shared: readonly Shared[] },
): CampaignPlan {
  const endings = [...campaign.endings];
  const contacts = endings.map((_ending, nth): ContactPlan => {
    const timezone = random.chance(0.3) ? random.pick(scene.ownZones) : null;
    const own = random.pick(timezone === null ? scene.areas : AREAS);
    const common = random.chance(0.6) ? shared[nth] : undefined;
    if (common !== undefined) endings[nth] = common.ending;
    const { prefix, zones } = common ?? own;
    return {
      prefix,
      nth: common?.nth ?? (index + 1) * 1_000 + nth,
      timezone,
      zones: timezone === null ? zones : [timezone],
      consent: random.chance(0.7),
    };
  });
  return {
    ...campaign,
    endings,
    organization: random.chance(0.5) ? 0 : campaign.organization,
    maxRetries: Math.min(campaign.maxRetries, 2),
    rules: { ...drawWindow(random, scene, contacts), contacts },
  };
}

function drawWindow(random: Random, scene: Scene, contacts: ContactPlan[]): Omit<CampaignRules, 'contacts'> {
  const { startMs, edgeMs } = scene;
  const [first = 'UTC', ...others] = contacts.flatMap((contact) => contact.zones);
  const zones: Zones = [first, ...others];
  const windowTimezone = random.pick(scene.windowZones);
  const isOneZone = windowTimezone !== 'contact';
  const zone = isOneZone ? (windowTimezone ?? 'UTC') : first;
  const isDay = scene.areas.length > 1;
  // The window of a single zone ends soon. Otherwise, contacts elsewhere would wait for their midnight.
  const [startTime, endTime] =
    isOneZone && isDay
      ? [random.chance(0.4) ? timeOf(zone, edgeMs) : '00:00', timeOf(zone, edgeMs + 3 * MINUTE_MS)]
      : random.chance(0.7)
        ? scene.hours(random, zones)
        : ALWAYS;
  const profile = random.chance(0.75) ? drawProfile(random, scene, zones) : null;
  const days = { fromDate: dateOf(zone, startMs), toDate: dateOf(zone, edgeMs) };
  return { windowTimezone, ...days, startTime, endTime, profile };
}

const everyDay = (hours: Hours): ProfileRecord['hours'] =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, [hours]]));

const NO_RULES: ProfileRecord = {
  hours: everyDay(ALWAYS),
  ambiguous_zone: 'strictest',
  max_per_day: null,
  max_per_7_days: null,
  min_gap_minutes: 0,
  consent: 'none',
};

const drawProfile = (random: Random, scene: Scene, zones: Zones): ProfileRecord => ({
  hours: everyDay(random.chance(0.5) ? scene.hours(random, zones) : ALWAYS),
  ambiguous_zone: random.pick(['strictest', 'skip']),
  max_per_day: random.pick(scene.perDay),
  max_per_7_days: random.pick([null, null, 1, 2]),
  min_gap_minutes: random.pick([0, 0, 1]),
  consent: random.pick(['none', 'none', 'required']),
});
