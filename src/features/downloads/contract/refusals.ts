import type { Refusals } from '#platform/contract/problems.ts'

export const downloadRefusals = {
  'downloads.unavailable': [404, 'This product is not available for download'],
  'downloads.lost': [
    404,
    'This file was lost, and the author has been asked to upload it again. You can download it here as soon as it is back.',
  ],
  'downloads.link_expired': [
    410,
    'This download link has expired. Start the download again from your dashboard.',
  ],
  'downloads.session_ended': [
    403,
    'This link has ended with the session that asked for it. Please sign in and start the download again.',
  ],
} as const satisfies Refusals
