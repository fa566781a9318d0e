// The bucket of the screen as the address that BACKUP_URL would have.
import type { BackupSettings } from '#contract/backup/second-place.ts'

type Bucket = Pick<BackupSettings, 'endpoint' | 'region' | 'bucket' | 'prefix'>

export function bucketAddress({ endpoint, region, bucket, prefix }: Bucket): string {
  const address = new URL(`s3://${bucket}/${encodeURI(prefix)}`)
  address.searchParams.set('region', region)
  if (endpoint) address.searchParams.set('endpoint', endpoint)
  return address.href
}

export function bucketLabel({ bucket, prefix }: Pick<Bucket, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`
}
