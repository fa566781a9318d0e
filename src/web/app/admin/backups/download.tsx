// A copy of everything as one encrypted file, to keep at home or to move the shop.
import type { Backups } from '#contract/backup/backups.ts'
import type { BackupsApi } from '#domains/backup/backup.routes.ts'
import { responseOf } from '../../../api.ts'
import { save } from '../../../browser-download.ts'
import { formatFileSize } from '../../../format/format.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { Download as DownloadIcon } from '../../../components/icons.tsx'
import { adminClient, CallButton } from '../calls.tsx'

const api = adminClient<BackupsApi>('Download a copy')

type DownloadProps = Pick<Backups, 'passphrase' | 'size'> & { isBusy: boolean }

export function Download({ passphrase: { state }, size, isBusy }: DownloadProps) {
  const hasPassphrase = state === 'stored' || state === 'variable'
  return (
    <Card title="Download a copy" contentClass="grid gap-4 px-5 py-4">
      <p className="max-w-prose text-pretty text-soft">
        All orders, accounts, files and settings in one file, encrypted with your passphrase. With both, the
        shop can be restored on any machine. All admins are notified by email.
      </p>
      {hasPassphrase ? (
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <CallButton
            label={
              <>
                <DownloadIcon aria-hidden className="size-4.5" />
                Download a copy
              </>
            }
            busyLabel="Making the copy..."
            disabled={isBusy}
            call={async () => save((await responseOf(api.backups.copies.$post({ json: {} }))).url)}
            done={{ title: 'The copy is on its way', description: 'Your browser is downloading it.' }}
            failed="Couldn’t make the copy"
          />
          <span className="text-sm text-soft">{sizeLabel(size)}</span>
        </p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <ButtonLink look="outline" to="/admin/backups/passphrase">
            Make the passphrase first
          </ButtonLink>
          {size !== null && <span className="text-sm text-soft">{sizeLabel(size)}</span>}
        </p>
      )}
    </Card>
  )
}

function sizeLabel(size: number | null): string {
  return size === null
    ? 'The size is known after the first backup.'
    : `The newest backup has ${formatFileSize(size)}. The copy is made now, with what was added since.`
}
