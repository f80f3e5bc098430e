# Installs shogi.exe and shogi-usi.exe from a release into a folder, after checking their sum:
#
#     irm https://github.com/shogi-variants/shogi-variants/releases/latest/download/install.ps1 | iex
#
# $env:SHOGI_VERSION   a version such as 0.1.0, in place of the newest
# $env:SHOGI_FOLDER    where the programs go, in place of %LOCALAPPDATA%\shogi-variants
# $env:SHOGI_RELEASES  another place of releases, such as a mirror
$ErrorActionPreference = 'Stop'

$releases = if ($env:SHOGI_RELEASES) { $env:SHOGI_RELEASES } else { 'https://github.com/shogi-variants/shogi-variants/releases' }
$folder = if ($env:SHOGI_FOLDER) { $env:SHOGI_FOLDER } else { Join-Path $env:LOCALAPPDATA 'shogi-variants' }
$version = $env:SHOGI_VERSION
if (-not $version) {
    $newest = Invoke-RestMethod 'https://api.github.com/repos/shogi-variants/shogi-variants/releases/latest'
    $version = $newest.tag_name.TrimStart('v')
}
$processor = switch ($env:PROCESSOR_ARCHITECTURE) {
    'AMD64' { 'x86_64' }
    'ARM64' { 'aarch64' }
    default { throw "no program is built for the processor $env:PROCESSOR_ARCHITECTURE; cargo install shogi-cli compiles one" }
}
$name = "shogi-$version-$processor-pc-windows-msvc"
$work = Join-Path ([System.IO.Path]::GetTempPath()) ([System.Guid]::NewGuid())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    $archive = Join-Path $work "$name.zip"
    Invoke-WebRequest "$releases/download/v$version/$name.zip" -OutFile $archive
    Invoke-WebRequest "$releases/download/v$version/$name.zip.sha256" -OutFile "$archive.sha256"
    $expected = (Get-Content "$archive.sha256" -Raw).Trim().Split(' ')[0]
    if ((Get-FileHash $archive -Algorithm SHA256).Hash -ne $expected) {
        throw "$name.zip does not have the sum of its release"
    }
    Expand-Archive $archive -DestinationPath $work
    New-Item -ItemType Directory -Path $folder -Force | Out-Null
    Copy-Item (Join-Path $work "$name\*.exe") -Destination $folder -Force
}
finally {
    Remove-Item $work -Recurse -Force
}
Write-Output "shogi $version is in $folder"
$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $folder) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$folder", 'User')
    Write-Output 'it is in the path of new terminals'
}
