import { Shares } from '../../runtime/shares';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { shareTaken } from '../http/errors/refusals';
import { decideAll } from './decide';
import { profileNamed } from './named-profile';
import { organizationProfileEndpoints } from './organization-profile';
import { presentDecision, ruleAnswers } from './present';
import { profileEndpoints } from './profiles';
import { decisionsBody } from './schema';

/** A request takes up to a second of CPU in small pieces. Two at a time leave enough CPU for other requests. */
const RUNS = { max: 2, maxPerOwner: 1, waiting: 40, waitingPerOwner: 10, waitMs: 8_000 };

export const ruleEndpoints = (tools: RouteTools): Endpoint[] => [
  deciding(tools, new Shares(RUNS)),
  ...profileEndpoints(tools),
  ...organizationProfileEndpoints(tools),
];

const deciding = ({ deps: { db } }: RouteTools, shares: Shares) =>
  endpoint({
    method: 'post',
    path: '/api/rules/decide',
    tag: 'Rules',
    summary: 'Decide whether numbers may be called',
    description:
      'Checks up to 1,000 calls against a rule profile. The endpoint stores nothing and starts no call. Unknown fields of a profile or a question are rejected.',
    access: byKey,
    scope: 'read',
    input: { body: decisionsBody },
    answer: answers('An answer for each question', ruleAnswers),
    handle: async ({ body: { profile: given, questions } }, organization) => {
      const profile =
        typeof given === 'string' ? await profileNamed(db, organization.id, given, 'profile') : given;
      const decisions = await shares.run(organization.id, () => decideAll(profile, questions));
      if (decisions === null) throw shareTaken();
      return decisions;
    },
    present: (decisions) => ({ answers: decisions.map(presentDecision) }),
  });
