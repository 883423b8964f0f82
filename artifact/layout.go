package artifact

// The blob of an artifact is its bytes, in groups that are each followed by an
// index page, then what was marked of items, then a manifest, then a trailer:
//
//	blob     = *(group page) *itempage manifest trailer  ; more than one block of bytes
//	         / bytes [itempage] manifest trailer         ; one block or less
//	group    = 1*256 block                               ; the last one may be shorter
//	block    = 1*65536 OCTET                             ; the last one may be shorter
//	page     = 1*256 entry                               ; one for each block of its group
//	entry    = after lines first                         ; 44 octets, see blockEntry
//	itempage = 1*1024 start                              ; the last one may be shorter
//	start    = item offset                               ; 16 octets, see ItemStart
//	trailer  = sha256 length magic                       ; 48 octets, see trailer
//
// The trailer has the hash of the manifest, the manifest those of the pages. An
// entry has the value of SHA-256 after its block, see chainValue; the manifest
// has the one before each group and, as the hash of the whole, the one after the
// last: whoever has read the trailer can verify any block by reading its page and
// itself. An artifact of one block needs no page.
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

// itemsAt is where the pages of items of an artifact of size bytes begin; the
// manifest follows them.
func itemsAt(size int64) int64 {
	g := groups(size)
	if g == 0 {
		return size
	}
	off, n := pageAt(g-1, size)
	return off + n
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
