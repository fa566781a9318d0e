import type { Refusals } from '#platform/contract/problems.ts'

/** What the setup may refuse. */
export const setupRefusals = {
  'setup.link_invalid': [
    403,
    'This setup link is not valid, or older than a day. The command “lectern admin setup-link” prints a new one.',
  ],
  'setup.finished': [409, 'This shop has an admin already. Please sign in.'],
} satisfies Refusals
