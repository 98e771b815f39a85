#![no_main]

hamcnf_fuzz::fuzzer!(tables);
