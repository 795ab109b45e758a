/** Error codes of contact lists and rule profiles. Part of `ERROR_CODES`. */
export const CONTACT_CODES = {
  RULE_PROFILE_NOT_FOUND: {
    status: 404,
    group: 'Rules',
    when: 'There is neither a shipped rule profile nor one of the organization with this name.',
    fix: 'Check the name with `GET /api/rule-profiles`.',
  },
  RULE_PROFILE_RESERVED: {
    status: 409,
    group: 'Rules',
    when: 'The name belongs to a shipped rule profile, which cannot be changed or deleted.',
    fix: 'Use another name.',
  },
  RULE_PROFILE_IN_USE: {
    status: 409,
    group: 'Rules',
    when: 'The organization or one of its open campaigns uses the rule profile.',
    fix: 'Give them another profile, or delete it when the campaigns have ended.',
  },
  TOO_MANY_RULE_PROFILES: {
    status: 409,
    group: 'Rules',
    when: 'The organization already has the maximum number of rule profiles.',
    fix: 'Delete an unused profile first.',
  },
  CONTACT_LIST_NOT_FOUND: {
    status: 404,
    group: 'Contacts',
    when: 'The organization has no contact list with this id, or the list has no import with this id.',
    fix: 'Check the id with `GET /api/contact-lists`.',
  },
  CONTACT_LIST_IN_USE: {
    status: 409,
    group: 'Contacts',
    when: 'A campaign that uses the contact list has not ended.',
    fix: 'Wait for the end of the campaign, or cancel it.',
  },
  CONTACT_NOT_FOUND: {
    status: 404,
    group: 'Contacts',
    when: 'The contact list has no contact with this id.',
    fix: 'Check the id with `GET /api/contact-lists/{list_id}/contacts`.',
  },
  CONTACT_EXISTS: {
    status: 409,
    group: 'Contacts',
    when: 'Another contact of the list has this `external_id`, or has this number and no `external_id`.',
    fix: 'Update or remove the other contact.',
  },
} as const;
