// The settings screen of the shop: its address, time zone and currency, guest checkout, and second factors of admins.
import { Suspense, useState } from 'react'
import { Await, useLoaderData } from 'react-router'
import { settingValues } from '#contract/settings/settings.ts'
import { manualPath } from '#contract/overview/manual.ts'
import type { Verdict } from '#contract/checks.ts'
import { describeVerdict } from '#contract/verdict-words.ts'
import type { FirstStepsApi } from '#domains/setup/first-steps.routes.ts'
import { responseOf } from '../../../api.ts'
import { currencyOptions } from '../price-field.tsx'
import { readText } from '../../../forms/form.ts'
import { discardUnsavedChanges } from '../../../forms/unsaved-changes.ts'
import { ActionLinks } from '../links.tsx'
import { Button } from '../../../components/button.tsx'
import { CircleCheck, TriangleAlert } from '../icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { adminClient } from '../calls.tsx'
import type { Route } from './+types/shop.ts'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { defineSettings, SettingsForm, type FormGroup } from './settings-form.tsx'
import { ownTimeZone, timeIn, useNow } from './shared-with-setup.tsx'

const setupApi = adminClient<FirstStepsApi>()

const settings = defineSettings({
  group: 'shop',
  title: 'Shop',
  about:
    'Where visitors find the shop, when its day begins, what its prices are in, and whether buyers need an account.',
  schema: settingValues.shape.shop.omit({
    former_site_urls: true,
    id: true,
    confirmed_site_url: true,
    reached: true,
  }),
  read: (form) => ({ site_url: withScheme(readText(form, 'site_url').trim()) }),
  fields: {
    site_url: {
      label: 'Address',
      hint: 'It stands in emails, links, and what search engines read. Links in emails that were sent before keep the old address.',
      input: { inputMode: 'url', spellCheck: false },
      as: Address,
    },
    time_zone: { label: 'Time zone', as: TimeZone },
    currency: {
      label: 'Currency',
      options: currencyOptions(),
      hint: 'Of all prices and sales. It can be changed until the first sale; prices keep their numbers. Test orders do not count, nor do those of admins while no money is taken.',
    },
    has_guest_checkout: {
      label: 'Buyers need no account',
      hint: 'They give their email address, pay, and get the book. This applies to your own book once payments are set up. Where nothing is to be paid, and for the sample book, they sign in first.',
    },
    admins_need_factor: {
      label: 'Admins need a second factor',
      hint: 'An admin without one is led to the account page and adds an authenticator app or a passkey before anything else.',
    },
  },
})

export async function clientLoader() {
  // The screen does not wait for it: the shop asks its own address, which may take seconds.
  const address = responseOf(setupApi.address.$get()).catch(() => undefined)
  return { group: await settings.clientLoader(), address }
}

export async function clientAction(args: Route.ClientActionArgs) {
  const result = await settings.clientAction(args)
  if (result.isSaved && result.changed.includes('currency')) {
    // Every screen shows the currency that the page came with.
    discardUnsavedChanges()
    location.reload()
  }
  return result
}

export const shouldRevalidate = settings.shouldRevalidate

export default function ShopSettings({ loaderData: { group }, actionData }: Route.ComponentProps) {
  return <SettingsForm settings={settings} group={group} result={actionData} />
}

/** Reads an address as people write it. The result is as it is stored, so that a slash at its end is no change. */
function withScheme(address: string): string {
  return `${/^[a-z]+:/i.test(address) ? '' : 'https://'}${address}`.replace(/\/$/, '')
}

type ShopForm = FormGroup<{ site_url: string; time_zone: string }>

function Address(props: FieldProps<ShopForm>) {
  const { site_url } = props.form.values
  const { address } = useLoaderData<typeof clientLoader>()
  const [typed, setTyped] = useState(site_url)
  const host = hostOf(site_url)
  return (
    <div className="grid gap-3">
      <Input {...props} onType={setTyped} />
      {hostOf(withScheme(typed.trim())) !== host && (
        <Callout role="alert">
          Passkeys belong to {host}: at another address none of them works, not even yours. Have your password
          ready and, where you have a second factor, an authenticator app or a recovery code.
        </Callout>
      )}
      <Suspense fallback={<p className="text-sm text-soft">Checking whether it leads here…</p>}>
        <Await resolve={address}>
          {(checked) => checked?.url === site_url && <AddressState check={checked.check} />}
        </Await>
      </Suspense>
    </div>
  )
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

function AddressState({ check }: { check: Verdict }) {
  const isGood = check.state === 'ok' || check.state === 'open'
  const Icon = isGood ? CircleCheck : TriangleAlert
  return (
    <p role="status" className="flex gap-2.5 text-sm">
      <Icon aria-hidden className={`mt-px size-5 shrink-0 ${isGood ? 'text-success' : 'text-gold-text'}`} />
      <span className="min-w-0 text-pretty break-words">
        {describeVerdict(check)}{' '}
        <ActionLinks actions={check.actions.filter(({ to }) => to === manualPath('internet'))} />
      </span>
    </p>
  )
}

function TimeZone(props: FieldProps<ShopForm>) {
  const { time_zone } = props.form.values
  const now = useNow()
  const [zone, setZone] = useState(time_zone)
  const own = ownTimeZone()
  const zones = [...new Set(['UTC', time_zone, ...(own ? [own] : []), ...Intl.supportedValuesOf('timeZone')])]
  return (
    <div className="grid gap-3">
      <Input
        {...props}
        options={zones}
        hint={`Decides when a day of sales begins and ends, also for days past, and when the nightly backup runs. In ${zone} it is now ${timeIn(zone, now)}.`}
        typed={zone}
        onType={setZone}
      />
      {own && own !== zone && !('time_zone' in props.form.variables) && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <span>{`Your browser is in ${own}, now ${timeIn(own, now)}.`}</span>
          <Button
            look="outline"
            className="min-h-9 px-3 py-1"
            onClick={() => {
              setZone(own)
              props.form.markChanged()
            }}
          >
            Choose it
          </Button>
        </p>
      )}
    </div>
  )
}
