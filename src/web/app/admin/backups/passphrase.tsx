// The passphrase of backups: made by the shop, shown once with a page to print, and entered again before it counts.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import type { Backups } from '#contract/backup/backups.ts'
import type { PassphraseOffer } from '#contract/backup/passphrase.ts'
import type { BackupsApi } from '#domains/backup/backup.routes.ts'
import { responseOf } from '../../../api.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { formatDate } from '../../../format/format.tsx'
import { useForm } from '../../../forms/form.ts'
import { Button } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { Field } from '../../../components/field.tsx'
import { Printer } from '../../../components/further-icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { bySchema } from '../../parse-form.ts'
import { adminClient, load, useAdminCall } from '../calls.tsx'
import type { Route } from './+types/passphrase.ts'
import { BackToBackups } from './second-place.tsx'

const api = adminClient<BackupsApi>('Make the passphrase')

export function clientLoader() {
  return load('Failed to fetch the backups', () => responseOf(api.backups.$get()))
}

/** The passphrase is shown once: the screen is not loaded again before it is entered. */
export function shouldRevalidate() {
  return false
}

export default function Passphrase({ loaderData }: Route.ComponentProps) {
  const [offer, setOffer] = useState<PassphraseOffer>()
  const [isWritten, setIsWritten] = useState(false)
  const [madeAt] = useState(() => new Date().toISOString())
  if (!loaderData) return <LoadFailed card="Passphrase" title="The backups could not be loaded" />
  const { state } = loaderData.passphrase
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5">
      <BackToBackups />
      {state === 'variable' ? (
        <Card title="Passphrase" contentClass="px-5 py-5">
          <p>
            It is set by BACKUP_PASSPHRASE in the shop’s environment. To let the shop make one, remove the
            variable there and start the shop again.
          </p>
        </Card>
      ) : !offer ? (
        <Beginning state={state} onOffer={setOffer} />
      ) : isWritten ? (
        <EnterAgain offer={offer} onBack={() => setIsWritten(false)} />
      ) : (
        <Sheet offer={offer} madeAt={madeAt} onWritten={() => setIsWritten(true)} />
      )}
    </div>
  )
}

type BeginningProps = {
  state: Backups['passphrase']['state']
  onOffer: (offer: PassphraseOffer) => void
}

function Beginning({ state, onOffer }: BeginningProps) {
  const [isBusy, run] = useAdminCall({ loadsAgain: false })
  const make = async () => onOffer(await responseOf(api.backups.passphrase.$post({ json: {} })))
  return (
    <Card title="Passphrase" contentClass="grid max-w-prose gap-4 px-5 py-5 text-pretty">
      <p>
        It encrypts what leaves this machine: the copies in the second place, and downloads. Without it nobody
        can read them, you included.
      </p>
      <p className="text-soft">
        The shop makes one and shows it once, on a page to print. You then enter it from that page, to show
        that the page is right, and from then on it is used. Keep the page in another place than this machine.
      </p>
      {state === 'stored' && (
        <Callout role="note">
          It replaces the current one from the next backup on. Copies that you downloaded before still need
          the old page, so keep it with them. If somebody else may have both the page and the keys of the
          bucket, also choose a new bucket.
        </Callout>
      )}
      <p>
        <Button
          busy={isBusy}
          disabled={isBusy}
          onClick={() => void run(make, { failed: 'Couldn’t make it' })}
        >
          {state === 'stored' ? 'Make a new passphrase' : 'Make the passphrase'}
        </Button>
      </p>
    </Card>
  )
}

type SheetProps = { offer: PassphraseOffer; madeAt: string; onWritten: () => void }

function Sheet({ offer: { passphrase }, madeAt, onWritten }: SheetProps) {
  return (
    <>
      <article className="rounded-md border border-line bg-surface p-6 sm:p-10 print:border-0 print:p-0">
        <p className="text-sm text-soft">
          {location.host} · {formatDate(madeAt)}
        </p>
        <h2 className="mt-2 font-display text-2xl font-semibold">The passphrase of your shop’s backups</h2>
        <div
          role="group"
          aria-label="Passphrase"
          className="my-7 flex flex-wrap gap-x-5 gap-y-2 border-y border-line py-6 text-2xl font-semibold select-all"
        >
          {passphrase.split('-').map((group, nth) => (
            // oxlint-disable-next-line react/no-array-index-key -- two groups may be alike
            <code key={nth}>{group}</code>
          ))}
        </div>
        <div className="grid max-w-prose gap-3 text-pretty">
          <p>
            To restore the shop on another machine, you need this page, and either the keys of the bucket or a
            downloaded copy. Spaces, hyphens and capitals do not matter. The letters i, l and o do not occur.
          </p>
          <p>Keep it away from the machine of the shop, and do not photograph it.</p>
          <p className="mt-2 hidden print:block">
            Bucket and folder: ______________________________________
            <br />
            <br />
            Access key: ____________________________________________
          </p>
        </div>
      </article>
      <p className="flex flex-wrap gap-2 max-sm:*:grow print:hidden">
        <Button look="outline" onClick={() => print()}>
          <Printer aria-hidden className="size-4.5" />
          Print this page
        </Button>
        <CopyButton
          label="Copy"
          name="Copy the passphrase"
          text={passphrase}
          copied={{ title: 'Copied', description: 'Paste it into a password manager, not into a note.' }}
          notCopied={{ title: 'Not copied', description: 'Please select and copy it yourself.' }}
        />
        <Button onClick={onWritten}>I have it on paper</Button>
      </p>
    </>
  )
}

const entered = z.object({ passphrase: z.string().min(1, 'Please enter the passphrase.') })

function EnterAgain({ offer: { offer }, onBack }: { offer: PassphraseOffer; onBack: () => void }) {
  const navigate = useNavigate()
  const [, run] = useAdminCall({ loadsAgain: false })
  const { form, field, isBusy } = useForm(bySchema(entered), async ({ passphrase }) => {
    const result = await run(() => responseOf(api.backups.passphrase.$put({ json: { offer, passphrase } })), {
      done: { title: 'Passphrase saved', description: 'It is not shown again.' },
      failed: 'Couldn’t save it',
      isSaidAtFields: true,
    })
    if (result.isSaved) await navigate('/admin/backups')
    return result
  })
  return (
    <Card title="Enter it from the page" contentClass="px-5 py-5">
      <form {...form}>
        <fieldset disabled={isBusy} className="grid max-w-prose gap-5">
          <p className="text-pretty text-soft">
            This shows that the page is right. Until then nothing changes.
          </p>
          <Field
            {...field('passphrase')}
            label="Passphrase"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <p className="flex flex-wrap gap-2 max-sm:*:grow">
            <Button type="submit">{isBusy ? 'Checking...' : 'Use this passphrase'}</Button>
            <Button look="outline" onClick={onBack}>
              Show the page again
            </Button>
          </p>
        </fieldset>
      </form>
    </Card>
  )
}
