// The settings screen of emails to the author.
import { settingValues } from '#contract/settings/settings.ts'
import { TextLink } from '../links.tsx'
import { defineSettings } from './settings-form.tsx'

const settings = defineSettings({
  group: 'author_emails',
  title: 'Emails to you',
  about: (
    <>
      What the shop emails to the author’s address, which is set on the{' '}
      <TextLink to="/admin/book">Book page</TextLink>. Where none is set, it goes to the first admin. Test
      orders and free copies do not count as sales.
    </>
  ),
  schema: settingValues.shape.author_emails,
  fields: {
    sale: {
      label: 'A sale',
      hint: 'With the address of the parcel where there is one. From the tenth sale of a day on, one summary on the next morning.',
    },
    parcels: {
      label: 'Parcels to ship',
      hint: 'In the morning, where orders of the day before are not shipped yet.',
    },
    message: {
      label: 'A message',
      hint: 'What visitors write in the contact form. It is under Messages in any case.',
    },
    refund_asked: {
      label: 'A withdrawal or a refund request',
      hint: 'Where it needs your decision. Of test orders, too.',
    },
    dispute: { label: 'A dispute', hint: 'With the day until which you can respond at Stripe.' },
    failures: {
      label: 'Something that fails',
      hint: 'Backups, and payments that could not be begun, at once. Emails, refunds and whatever else failed, on the next morning.',
    },
    weekly_summary: {
      label: 'A summary of the week',
      hint: 'On Monday morning, beside the week before. Not after two weeks without a sale.',
    },
  },
})

export const { clientLoader, clientAction, shouldRevalidate } = settings
export default settings.Screen
