// The form for the backup's place: a file of this computer, or a bucket, and the passphrase that opens it.
import { useRef, useState } from 'react'
import type { RestoreSource } from '#contract/setup/setup-restore.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/further-fields.tsx'
import { keyWords } from '../key-words.ts'
import { failure } from '../../notices/send.ts'
import { asEntered, readText, useForm, type FormResult } from '../../forms/form.ts'
import { toast } from '../../notices/toasts.tsx'
import { FileDrop } from '../file-drop.tsx'
import { useSendFile } from '../send-file.ts'

type FormProps = {
  token: string
  onOpen: (source: RestoreSource, passphrase: string) => Promise<void>
  onLeave: () => void
}

const kinds = [
  { kind: 'file', label: 'A file', hint: 'that you downloaded under Backups' },
  { kind: 'bucket', label: 'A bucket', hint: 'at a storage provider (S3)' },
] as const
type Kind = (typeof kinds)[number]['kind']

export function RestoreForm({ token, onOpen, onLeave }: FormProps) {
  const [kind, setKind] = useState<Kind>('file')
  const [file, setFile] = useState<File>()
  /** The file that was sent already: a wrong passphrase does not send it twice. */
  const sent = useRef<{ file: File; id: string }>(undefined)
  const { sending, send, cancel } = useSendFile({
    endpoint: '/api/setup/restore/uploads',
    headers: async () => ({ 'x-setup-link': token }),
    remembersSent: true,
  })
  const { form, isBusy, field, problems, clear } = useForm(asEntered, open)

  async function open(written: FormData): Promise<FormResult> {
    const wrong = missing(written, kind, file)
    if (wrong) return { isSaved: false, problems: wrong }
    const source = kind === 'bucket' ? bucketOf(written) : await sendFile()
    if (source) await onOpen(source, readText(written, 'passphrase'))
    return { isSaved: false }
  }

  async function sendFile(): Promise<RestoreSource | undefined> {
    if (!file) return undefined
    try {
      const known = sent.current
      const upload_id = known?.file === file ? known.id : await send(file)
      if (!upload_id) return undefined
      sent.current = { file, id: upload_id }
      return { kind: 'file', upload_id }
    } catch (error) {
      toast(failure('The upload failed', error))
      return undefined
    }
  }

  return (
    <form {...form} className="mt-2">
      <p className="text-pretty text-soft">
        From a backup of it: its orders, readers, files and settings come here, and this new shop becomes that
        one.
      </p>
      <fieldset disabled={isBusy} className="mt-6">
        <legend className="font-semibold">Where is the backup?</legend>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          {kinds.map(({ kind: each, label, hint }) => (
            // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text stands in `kinds`
            <label
              key={each}
              className={`flex cursor-pointer items-start gap-3 rounded-md border px-4 py-3 font-semibold ${kind === each ? 'border-gold bg-gold/10' : 'border-edge'}`}
            >
              <input
                type="radio"
                name="kind"
                value={each}
                checked={kind === each}
                onChange={() => {
                  setKind(each)
                  clear()
                }}
                className="tick mt-0.5 shrink-0 rounded-full"
              />
              <span className="min-w-0">
                {label} <span className="block text-sm font-normal text-soft">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-5" hidden={kind !== 'file'}>
        <FileDrop
          label="Backup"
          hint="Its name ends with .tar"
          accept=".tar"
          file={file}
          onFile={(chosen) => {
            setFile(chosen)
            clear()
          }}
          sending={sending}
          onCancel={cancel}
        />
        {problems?.['file'] && (
          <p role="alert" className="mt-1.5 text-sm text-danger">
            {problems['file']}
          </p>
        )}
      </div>
      <fieldset disabled={isBusy} className="mt-5 grid gap-4">
        <div className="grid gap-4" hidden={kind !== 'bucket'}>
          <BucketFields field={field} />
        </div>
        <PasswordField
          label="Passphrase"
          required={false}
          autoComplete="off"
          hint="The one that Backups showed once, on the page that you printed."
          {...field('passphrase')}
        />
      </fieldset>
      <p className="mt-7 flex flex-wrap gap-3">
        <Button busy={isBusy} type="submit" className="min-h-12">
          {sending ? 'Uploading...' : 'Open the backup'}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={onLeave}>
          Make a new shop instead
        </Button>
      </p>
    </form>
  )
}

type FieldOf = (name: string) => { name: string; problem: string | undefined }

const plainText = { required: false, autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const

function BucketFields({ field }: { field: FieldOf }) {
  return (
    <>
      <Field
        {...plainText}
        label="Server"
        inputMode="url"
        placeholder="https://s3.eu-central-003.backblazeb2.com"
        hint="The address that your provider names as endpoint. Empty: Amazon’s."
        {...field('endpoint')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...plainText} label="Region" {...field('region')} />
        <Field {...plainText} label="Bucket" {...field('bucket')} />
      </div>
      <Field {...plainText} label="Folder" hint="Empty: the whole bucket." {...field('prefix')} />
      <Field {...plainText} label="Access key" {...field('access_key')} />
      <PasswordField
        label="Secret key"
        {...keyWords}
        required={false}
        autoComplete="off"
        {...field('secret_key')}
      />
    </>
  )
}

const bucketNames = ['endpoint', 'region', 'bucket', 'prefix', 'access_key', 'secret_key'] as const
const optionalNames = new Set<string>(['endpoint', 'prefix'])

function bucketOf(written: FormData): RestoreSource {
  const text = (name: (typeof bucketNames)[number]) => readText(written, name).trim()
  return {
    kind: 'bucket',
    endpoint: text('endpoint'),
    region: text('region'),
    bucket: text('bucket'),
    prefix: text('prefix'),
    access_key: text('access_key'),
    secret_key: text('secret_key'),
  }
}

function missing(written: FormData, kind: Kind, file: File | undefined): FieldProblems | undefined {
  const names = kind === 'bucket' ? bucketNames.filter((name) => !optionalNames.has(name)) : []
  const empty = [...names, 'passphrase'].filter((name) => readText(written, name).trim() === '')
  const problems: FieldProblems = Object.fromEntries(empty.map((name) => [name, 'Please fill this in.']))
  if (kind === 'file' && !file) problems['file'] = 'Please choose the file of the backup.'
  return Object.keys(problems).length > 0 ? problems : undefined
}
