package artifact

// The blob of an artifact is its bytes, in groups that are each followed by an
// index page, then a manifest, then a trailer:
//
//	blob    = *(group page) manifest trailer      ; more than one block of bytes
//	        / bytes manifest trailer              ; one block or less
//	group   = 1*256 block                         ; the last one may be shorter
//	block   = 1*65536 OCTET                       ; the last one may be shorter
//	page    = 1*256 entry                         ; one for each block of its group
//	entry   = sha256 lines first                  ; 44 octets, see blockEntry
//	trailer = sha256 length magic                 ; 48 octets, see trailer
//
// The trailer has the hash of the manifest, the manifest those of the pages, a
// page those of its blocks: whoever has read the trailer can verify any block by
// reading its page and itself. An artifact of one block needs no page; its hash
// is that of the whole.
const (
	blockSize      = 64 << 10
	blocksPerGroup = 256
	groupSize      = blocksPerGroup * blockSize // 16 MiB
	entrySize      = 32 + 8 + 4
	pageSize       = blocksPerGroup * entrySize
	trailerSize    = 32 + 8 + 8
)

// physical is where the byte at off of an artifact is in its blob.
func physical(off int64) int64 { return off + off/groupSize*pageSize }

// groups is how many groups, and pages, an artifact of size bytes has.
func groups(size int64) int64 {
	if size <= blockSize {
		return 0
	}
	return ceilDiv(size, groupSize)
}

// pageAt is where the page of group g is in the blob of an artifact of size
// bytes, and how long it is.
func pageAt(g, size int64) (off, length int64) {
	data := min(groupSize, size-g*groupSize)
	return g*(groupSize+pageSize) + data, ceilDiv(data, blockSize) * entrySize
}

// manifestAt is where the manifest of an artifact of size bytes begins.
func manifestAt(size int64) int64 {
	g := groups(size)
	if g == 0 {
		return size
	}
	off, n := pageAt(g-1, size)
	return off + n
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
