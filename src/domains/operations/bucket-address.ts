// The bucket of the screen as the address that BACKUP_URL would have.
type Bucket = { endpoint: string; region: string; bucket: string; prefix: string }

export function bucketAddress({ endpoint, region, bucket, prefix }: Bucket): string {
  const address = new URL(`s3://${bucket}/${encodeURI(prefix)}`)
  address.searchParams.set('region', region)
  if (endpoint) address.searchParams.set('endpoint', endpoint)
  return address.href
}
