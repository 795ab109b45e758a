import type { ReactNode } from 'react';

const drawn = (lines: ReactNode) => () => (
  <svg
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {lines}
  </svg>
);

export const CampaignsIcon = drawn(<path d="M3 15V9M8 15V5M13 15v-4M17.5 15V7" />);
export const ContactListsIcon = drawn(
  <path d="M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2.5 16a4.5 4.5 0 0 1 9 0M13.5 6H18M13.5 10H18M14 14h4" />,
);
export const CallsIcon = drawn(
  <path d="M5 3h2.5l1.5 4-2 1.3a9 9 0 0 0 4.7 4.7L13 11l4 1.5V15a2 2 0 0 1-2 2A12 12 0 0 1 3 5a2 2 0 0 1 2-2Z" />,
);
export const AgentsIcon = drawn(
  <path d="M10 3v2M5.5 7.5h9a2 2 0 0 1 2 2v4a3 3 0 0 1-3 3h-7a3 3 0 0 1-3-3v-4a2 2 0 0 1 2-2ZM7.5 11.5v.5M12.5 11.5v.5" />,
);
export const KeysIcon = drawn(
  <path d="M12.5 3.5a4 4 0 1 1-3.4 6.1L4 14.7V17h2.3v-2h2v-2h1.6l1.2-1.2M13.5 7v.1" />,
);
export const AuditIcon = drawn(<path d="M5 3h10v14H5ZM8 7h4M8 10h4M8 13h2" />);
export const OperationsIcon = drawn(<path d="M3 10h3l2-5 4 10 2-5h3" />);
