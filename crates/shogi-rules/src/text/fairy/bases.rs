//! The games of the shogi family on which sections of a file can build, written as settings of such
//! a file.

/// The games in the form of a file.
pub(super) const BASES: &str = "
[minishogi]
maxRank = 5
maxFile = 5
shogiPawn = p
silver = s
gold = g
bishop = b
rook = r
king = k
dragonHorse = h
bers = d
startFen = rbsgk/4p/5/P4/KGSBR[-] w 0 1
promotionRegionWhite = *5
promotionRegionBlack = *1
promotedPieceType = p:g s:g b:h r:d
pieceDrops = true
capturesToHand = true
dropNoDoubled = p
immobilityIllegal = true
shogiPawnDropMateIllegal = true
stalemateValue = loss
nMoveRule = 0
nFoldRule = 4
nFoldValue = loss
nFoldValueAbsolute = true
perpetualCheckIllegal = true
castling = false
doubleStep = false

[shogi:minishogi]
maxRank = 9
maxFile = 9
lance = l
shogiKnight = n
startFen = lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1
promotionRegionWhite = *7 *8 *9
promotionRegionBlack = *3 *2 *1
promotedPieceType = l:g n:g
nFoldValue = draw
nFoldValueAbsolute = false

[judkins:minishogi]
maxRank = 6
maxFile = 6
shogiKnight = n
startFen = rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
promotedPieceType = n:g
nFoldValue = draw
nFoldValueAbsolute = false

[gorogoro:minishogi]
maxRank = 6
maxFile = 5
startFen = sgkgs/5/1ppp1/1PPP1/5/SGKGS[-] w 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
nFoldValue = draw
nFoldValueAbsolute = false

[gorogoroplus:gorogoro]
lance = l
shogiKnight = n
startFen = sgkgs/5/1ppp1/1PPP1/5/SGKGS[LNln] w 0 1
promotedPieceType = l:g n:g

[kyotoshogi:minishogi]
lance = l
shogiKnight = n
startFen = p+nks+l/5/5/5/+LSK+NP[-] w 0 1
promotionRegionWhite = *1 *2 *3 *4 *5
promotionRegionBlack = *1 *2 *3 *4 *5
promotedPieceType = p:r l:g s:b n:g
pieceDemotion = true
mandatoryPiecePromotion = true
dropPromoted = true
dropNoDoubled = -
immobilityIllegal = false
shogiPawnDropMateIllegal = false
nFoldValue = draw
nFoldValueAbsolute = false

[microshogi:kyotoshogi]
maxFile = 4
startFen = kb+r+l/p3/4/3P/+L+RBK[-] w 0 1
promotedPieceType = p:n l:s b:g r:g
piecePromotionOnCapture = true

[euroshogi:minishogi]
maxRank = 8
maxFile = 8
customPiece1 = n:fNsW
startFen = 1nbgkgn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NGKGBN1[-] w 0 1
promotionRegionWhite = *6 *7 *8
promotionRegionBlack = *3 *2 *1
promotedPieceType = n:g
mandatoryPiecePromotion = true
nFoldValue = draw
nFoldValueAbsolute = false

[yarishogi:minishogi]
maxRank = 9
maxFile = 7
customPiece1 = n:fRffN
customPiece2 = b:fFfR
customPiece3 = r:fsR
customPiece4 = s:fKbR
customPiece5 = g:fKsWbR
rook = w
startFen = rnnkbbr/7/ppppppp/7/7/7/PPPPPPP/7/RBBKNNR[-] w 0 1
promotionRegionWhite = *7 *8 *9
promotionRegionBlack = *3 *2 *1
promotedPieceType = p:s n:g b:g r:w
shogiPawnDropMateIllegal = false
nFoldRule = 3
nFoldValue = win
nFoldValueAbsolute = false

[torishogi:minishogi]
maxRank = 7
maxFile = 7
shogiPawn = s
customPiece1 = f:FsfW
customPiece2 = c:FvW
customPiece3 = p:fDbF
customPiece4 = l:fRrbBlbF
customPiece5 = r:fRlbBrbF
customPiece6 = g:fAbD
customPiece7 = e:KbRfBbB2
startFen = rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR[-] w 0 1
promotionRegionWhite = *6 *7
promotionRegionBlack = *2 *1
promotedPieceType = p:- b:- r:- s:g f:e
mandatoryPiecePromotion = true
dropNoDoubled = s
dropNoDoubledCount = 2
nFoldRule = 3
nFoldValue = win
nFoldValueAbsolute = false
";
