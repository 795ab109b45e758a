/** The records of campaigns with rules, as the checker reads them. */
import type { CampaignRecord, ProfileRecord } from '../../faults/checker/evidence';
import type { CampaignPlan, CampaignRules, SimulationPlan } from './plan';
import { numberOf } from './rules';

/** Rules are stored before the campaign, so its id is known in advance. */
export const idWithRules = (index: number): string => `00000000-0000-4000-8000-00000000000${index}`;

export const windowWithRules = ({ fromDate, toDate, startTime, endTime }: CampaignRules) => ({
  from_date: fromDate,
  to_date: toDate,
  start_time: startTime,
  end_time: endTime,
});

export const contactsWithRules = ({ endings }: CampaignPlan, { contacts }: CampaignRules) =>
  endings.flatMap((ending, index): CampaignRecord['contacts'] => {
    const contact = contacts[index];
    if (contact === undefined) return [];
    const { zones, consent } = contact;
    return [
      {
        row: index + 2,
        name: `Contact ${index + 1}`,
        phone_number: numberOf(contact, ending),
        zones,
        consent,
      },
    ];
  });

/** Returns the profiles of the organization and the campaign. */
export const profilesOf = (
  { organizationProfile }: SimulationPlan,
  { profile }: CampaignRules,
): ProfileRecord[] => [organizationProfile, profile].filter((each) => each != null);
