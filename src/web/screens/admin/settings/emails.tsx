import { settingValues } from '#contract/operations/setting-groups.ts'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { TextLink } from '../links.tsx'
import type { Route } from './+types/emails.ts'
import { isToBeLoaded, loadGroup, saveGroup, SettingSwitch, SettingsForm } from './settings-form.tsx'

const schema = settingValues.shape.author_emails

export function clientLoader() {
  return loadGroup('author_emails')
}

export function clientAction({ request }: Route.ClientActionArgs) {
  return saveGroup({ group: 'author_emails', schema }, request)
}

export const shouldRevalidate = isToBeLoaded

export default function EmailsToYou({ loaderData: found, actionData }: Route.ComponentProps) {
  if (!found) return <LoadFailed card="Emails to you" title="The settings could not be loaded" />
  return (
    <SettingsForm
      title="Emails to you"
      about={
        <>
          What the shop emails you. Purchases with test keys, free copies and trials are no sales. The address
          is set <TextLink to="/admin/book">with the author</TextLink>.
        </>
      }
      found={found}
      schema={schema}
      result={actionData}
    >
      {(group) => (
        <>
          <SettingSwitch
            group={group}
            name="sale"
            label="A sale"
            hint="With the address of the parcel where there is one. From the tenth sale of a day on, one summary on the next morning."
          />
          <SettingSwitch
            group={group}
            name="parcels"
            label="Parcels to ship"
            hint="In the morning, where orders of the day before are not shipped yet."
          />
          <SettingSwitch
            group={group}
            name="message"
            label="A message"
            hint="What visitors write in the contact form. It is under Messages in any case."
          />
          <SettingSwitch
            group={group}
            name="refund_asked"
            label="A refund that is asked for"
            hint="Where it waits for your decision."
          />
          <SettingSwitch
            group={group}
            name="dispute"
            label="A dispute"
            hint="With the day until which you can respond at Stripe."
          />
          <SettingSwitch
            group={group}
            name="failures"
            label="Something that fails"
            hint="Backups, and payments that could not be begun, at once. Emails, refunds and whatever else failed, on the next morning."
          />
          <SettingSwitch
            group={group}
            name="weekly_summary"
            label="A summary of the week"
            hint="On Monday morning, beside the week before. Not after two weeks without a sale."
          />
        </>
      )}
    </SettingsForm>
  )
}
